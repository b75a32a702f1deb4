package mutate

// registry lists the operators, from specific to general. If two of them make the
// same mutant of a node, the mutant gets the name of the first.
//
// A new operator needs a file of its own and a line here. go test checks its
// example, and go generate adds it to docs/operators.md.
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
