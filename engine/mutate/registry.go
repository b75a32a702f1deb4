package mutate

// registry lists the operators, specific ones first: where two make the same
// mutant, it goes by the name of the first.
//
// A new operator is a file of its own and a line here; go test checks its
// example, and go generate puts it into docs/operators.md.
var registry = []*Operator{
	hunkReversal,
	errorCheck,
	earlyReturn,
	relational,
	logical,
	condition,
	branchRemoval,
	caseRemoval,
	statementDeletion,
	arithmetic,
	bitwise,
	compoundAssignment,
	concatenation,
	unary,
	increment,
	minMax,
	loopControl,
	loopIterations,
	errorReturn,
	returnValue,
	appendDrop,
	sliceBounds,
	integerLiteral,
	floatLiteral,
	booleanLiteral,
	stringLiteral,
	fieldValue,
	argumentSwap,
	argumentPropagation,
}

//go:generate go test -run TestOperatorsDocIsCurrent -update
