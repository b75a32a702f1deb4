package mutate

import (
	"go/ast"
	"go/constant"
	"go/token"
	"go/types"
	"regexp"
	"slices"
	"strings"

	"golang.org/x/tools/go/ast/edge"
	"golang.org/x/tools/go/ast/inspector"
)

// This file says which code is arid: mutants of it tell a reviewer nothing,
// even if no test notices them. The rules are those with which Google raised
// the share of useful findings from 15 to 89 % (Petrović, Ivanković et al.:
// Practical Mutation Testing at Scale, TSE 2021, appendix A), as far as names
// and types reveal such code.

// Names of the arid rules.
const (
	aridLogging   = "logging"
	aridMetrics   = "metrics"
	aridFlags     = "flags"
	aridTime      = "time"
	aridErrorText = "error-text"
	aridCapacity  = "capacity"
	aridDebug     = "debug"
	aridStringer  = "stringer"
	aridBlock     = "block"
	aridBeside    = "beside-error"
	aridFalse     = "beside-false"
	aridReset     = "reset-before-reuse"
	aridZero      = "zero-again"
	aridText      = "text"
	aridMemo      = "cache"
	aridSure      = "never-fails"
	aridChain     = "chaining"
	aridHelper    = "test-helper"
	aridBlank     = "blank"
	aridDead      = "never-runs-here"
)

// aridPackages maps elements of import paths to the rule for calls into such
// packages and for methods of their types.
var aridPackages = map[string]string{
	"log": aridLogging, "slog": aridLogging, "zap": aridLogging, "logrus": aridLogging, "zerolog": aridLogging,
	"klog": aridLogging, "glog": aridLogging, "logr": aridLogging, "hclog": aridLogging, "logging": aridLogging,
	"client_golang": aridMetrics, "expvar": aridMetrics, "metrics": aridMetrics, "metric": aridMetrics, "statsd": aridMetrics,
	"flag": aridFlags, "pflag": aridFlags,
}

// tracing has elements of import paths of packages whose print functions and methods only log.
var tracing = map[string]bool{"trace": true, "tracing": true, "debug": true}

// aridCalls maps full names of functions and methods to a rule.
var aridCalls = map[string]string{
	"fmt.Print": aridLogging, "fmt.Printf": aridLogging, "fmt.Println": aridLogging,
	"time.Sleep": aridTime, "time.After": aridTime, "time.AfterFunc": aridTime,
	"time.NewTimer": aridTime, "time.NewTicker": aridTime, "time.Tick": aridTime,
	"context.WithTimeout": aridTime, "context.WithDeadline": aridTime, "(*time.Ticker).Stop": aridTime,
	"slices.Grow":      aridCapacity,
	"(*sync.Pool).Put": aridReset,
}

// aridMethods maps names of methods, of whatever type, to a rule.
var aridMethods = map[string]string{
	"SetDeadline": aridTime, "SetReadDeadline": aridTime, "SetWriteDeadline": aridTime,
	"Grow": aridCapacity,
}

var (
	loggerType = regexp.MustCompile(`(^|_)(?i:logger)$|L(ogger|OGGER)$`) // does not match "Blogger"
	levelName  = regexp.MustCompile(`^(Trace|Debug|Info|Warn|Warning|Error)(f|ln|w)?$`)
	errorType  = regexp.MustCompile(`(?i)(error|err|diagnostic|diag)$`)
	errorName  = regexp.MustCompile(`(?i)^(std)?err(or)?s?(out|output|stream|writer|w)?$|^ErrOrStderr$`)
	helpType   = regexp.MustCompile(`(Command|App|Flag)$`)
	helpName   = regexp.MustCompile(`^(Use|Usage|UsageText|ArgsUsage|Short|Long|Examples?|Description|Help|HelpText|Deprecated)$`)
	debugName  = regexp.MustCompile(`(?i)^(debug|verbose|trace|tracing)|(Debug|Verbose|Trace)$`)
)

// aridFunction returns the rule by which the whole function is arid; "" if it is not.
func (p *pass) aridFunction() string {
	decl := p.Decl
	switch {
	case p.helpsTests():
		return aridHelper
	case decl.Recv == nil:
		return ""
	case decl.Name.Name == "String" && !decidesMuch(decl.Body), decl.Name.Name == "GoString":
		return aridStringer
	case decl.Name.Name == "Error" && decl.Type.Params.NumFields() == 0:
		return aridErrorText
	}
	return ""
}

// maxDecisions is the number of conditions and loops up to which a String method is taken to serve logs and messages.
// One with more writes a format that its callers read.
const maxDecisions = 2

// decidesMuch reports whether a function has more than maxDecisions conditions and loops.
func decidesMuch(body *ast.BlockStmt) bool {
	decisions := 0
	ast.Inspect(body, func(n ast.Node) bool {
		switch n.(type) {
		case *ast.IfStmt, *ast.ForStmt, *ast.RangeStmt:
			decisions++
		}
		return true
	})
	return decisions > maxDecisions
}

// aridRule returns the rule by which a node is arid, with all nodes below it; "" if it is not.
func (p *pass) aridRule(c inspector.Cursor) string {
	switch {
	case p.cannotFail(c):
		return aridSure
	case p.dead(c):
		return aridDead
	}
	switch n := c.Node().(type) {
	case ast.Stmt:
		return p.aridStmt(n)
	case *ast.CallExpr:
		if rule := p.aridCall(n); rule != "" {
			return rule
		}
	}
	if e, ok := c.Node().(ast.Expr); ok {
		return p.aridExpr(c, e)
	}
	return ""
}

// aridStmt returns the rule for a statement: it is an arid call, a block or branch of arid
// statements, or an assignment or return to which a rule below applies. An assignment from
// an arid call is not arid by itself, because of its left side.
func (p *pass) aridStmt(s ast.Stmt) string {
	if p.remembers(s) {
		return aridMemo
	}
	switch s := s.(type) {
	case *ast.IncDecStmt:
		if p.reserves(s.X) {
			return aridCapacity
		}
	case *ast.ExprStmt:
		if call, ok := ast.Unparen(s.X).(*ast.CallExpr); ok {
			if p.empties(call) {
				return aridReset
			}
			return p.aridCall(call)
		}
	case *ast.AssignStmt:
		switch {
		case p.assignsNothing(s):
			return aridBlank
		case p.resets(s):
			return aridReset
		case p.reserves(s.Lhs...):
			return aridCapacity
		case p.caches.makesKey(s):
			return aridMemo
		case p.zeroesAgain(s):
			return aridZero
		}
	case *ast.DeferStmt:
		return p.aridCall(s.Call)
	case *ast.GoStmt:
		return p.aridCall(s.Call)
	case *ast.BlockStmt:
		return p.aridList(s.List)
	case *ast.ForStmt, *ast.RangeStmt, *ast.IfStmt:
		if p.headerActs(s) {
			return ""
		}
		return p.aridBranches(s)
	case *ast.ReturnStmt:
		switch {
		case p.errorText:
			return aridErrorText
		case p.chains(s):
			return aridChain
		}
	}
	return ""
}

// assignsNothing reports whether s only evaluates a value, as the bounds-check hint "_ = b[3]" does.
func (p *pass) assignsNothing(s *ast.AssignStmt) bool {
	blank := func(e ast.Expr) bool {
		id, ok := e.(*ast.Ident)
		return ok && id.Name == "_"
	}
	calls := func(e ast.Expr) (found bool) {
		ast.Inspect(e, func(n ast.Node) bool {
			switch n := n.(type) {
			case *ast.CallExpr:
				found = found || !p.isBuiltin(n, "len")
			case *ast.UnaryExpr:
				found = found || n.Op == token.ARROW
			}
			return !found
		})
		return found
	}
	return !slices.ContainsFunc(s.Lhs, func(e ast.Expr) bool { return !blank(e) }) && !slices.ContainsFunc(s.Rhs, calls)
}

// resets reports whether s empties fields of a pooled value (see isPooled). The next user fills them, so a mistake
// would show in another place.
func (p *pass) resets(s *ast.AssignStmt) bool {
	if s.Tok != token.ASSIGN {
		return false
	}
	for _, x := range s.Lhs {
		sel, ok := ast.Unparen(x).(*ast.SelectorExpr)
		if !ok || !p.isPooled(sel.X) {
			return false
		}
	}
	return !slices.ContainsFunc(s.Rhs, func(x ast.Expr) bool { return !p.isEmpty(x) })
}

// empties reports whether a call empties a pooled value: "clear(v)" or "v.Reset()".
func (p *pass) empties(call *ast.CallExpr) bool {
	if p.isBuiltin(call, "clear") {
		return p.isPooled(call.Args[0])
	}
	sel, ok := ast.Unparen(call.Fun).(*ast.SelectorExpr)
	return ok && sel.Sel.Name == "Reset" && p.isPooled(sel.X)
}

// isPooled reports whether e is a variable that the function puts into a sync.Pool or takes from one.
func (p *pass) isPooled(e ast.Expr) bool {
	if p.pooled == nil {
		p.pooled = p.findPooled()
	}
	id, ok := ast.Unparen(e).(*ast.Ident)
	return ok && p.pooled[p.Info.Uses[id]]
}

// findPooled returns the variables that the function puts into a sync.Pool or takes from one.
func (p *pass) findPooled() map[types.Object]bool {
	pooled := map[types.Object]bool{}
	add := func(e ast.Expr) {
		if id, ok := ast.Unparen(e).(*ast.Ident); ok && p.Info.ObjectOf(id) != nil {
			pooled[p.Info.ObjectOf(id)] = true
		}
	}
	ast.Inspect(p.Decl.Body, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.CallExpr:
			if len(n.Args) == 1 && p.isPoolCall(n, "Put") {
				add(n.Args[0])
			}
		case *ast.AssignStmt:
			value := ast.Unparen(n.Rhs[0])
			if assertion, ok := value.(*ast.TypeAssertExpr); ok {
				value = ast.Unparen(assertion.X)
			}
			if call, ok := value.(*ast.CallExpr); ok && p.isPoolCall(call, "Get") {
				add(n.Lhs[0])
			}
		}
		return true
	})
	return pooled
}

func (p *pass) isPoolCall(call *ast.CallExpr, method string) bool {
	fn := p.callee(call)
	return fn != nil && fn.FullName() == "(*sync.Pool)."+method
}

// isEmpty reports whether e is nil, a zero constant, a composite literal without elements, or a slice such as "x[:0]".
func (p *pass) isEmpty(e ast.Expr) bool {
	switch e := ast.Unparen(e).(type) {
	case *ast.CompositeLit:
		return len(e.Elts) == 0
	case *ast.SliceExpr:
		v := p.Info.Types[e.High].Value
		return e.Low == nil && e.High != nil && v != nil && isZeroConstant(v)
	}
	v := p.Info.Types[e].Value
	return p.isNil(e) || v != nil && isZeroConstant(v)
}

// aridBranches returns the rule for the condition and the branches of an if statement, or for the body of a loop: it
// asks for debugging, or all of its branches are arid.
func (p *pass) aridBranches(s ast.Stmt) string {
	switch s := s.(type) {
	case *ast.ForStmt:
		return p.aridStmt(s.Body)
	case *ast.RangeStmt:
		return p.aridStmt(s.Body)
	case *ast.IfStmt:
		if s.Else == nil && p.debugCondition(s.Cond) {
			return aridDebug
		}
		rule := p.aridStmt(s.Body)
		if s.Else != nil && p.aridStmt(s.Else) == "" {
			return ""
		}
		return rule
	}
	return ""
}

// headerActs reports whether the statement before the condition of an if, or the header of a loop, may do something that
// the program is about: "if err := save(x); err != nil {" does, whatever the branches do.
func (p *pass) headerActs(s ast.Stmt) bool {
	switch s := s.(type) {
	case *ast.IfStmt:
		return p.acts(s.Init)
	case *ast.ForStmt:
		return p.acts(s.Init) || p.acts(s.Cond) || p.acts(s.Post)
	case *ast.RangeStmt:
		return p.acts(s.X)
	}
	return false
}

// acts reports whether a node has a call that is not arid, or receives from a channel. The node may be nil.
func (p *pass) acts(n ast.Node) (found bool) {
	if n == nil {
		return false
	}
	ast.Inspect(n, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.CallExpr:
			found = found || p.aridCall(n) == "" && !p.Info.Types[n.Fun].IsBuiltin() && !p.Info.Types[n.Fun].IsType()
		case *ast.UnaryExpr:
			found = found || n.Op == token.ARROW
		}
		return !found
	})
	return found
}

// callsBack reports whether a statement passes a function literal with code that is not arid to a call that registers
// it: a timer, a flag or a metric.
func (p *pass) callsBack(s ast.Stmt) (found bool) {
	ast.Inspect(s, func(n ast.Node) bool {
		if call, ok := n.(*ast.CallExpr); ok && registers[p.aridCall(call)] {
			for _, arg := range call.Args {
				ast.Inspect(arg, func(n ast.Node) bool {
					if lit, ok := n.(*ast.FuncLit); ok && len(lit.Body.List) > 0 && p.aridStmt(lit.Body) == "" {
						found = true
					}
					return !found
				})
			}
		}
		return !found
	})
	return found
}

// registers are the rules for calls that call back what they are given.
var registers = map[string]bool{aridTime: true, aridFlags: true, aridMetrics: true}

// aridList returns the rule that all statements of a list share, aridBlock if their rules differ, and "" if one has
// none.
func (p *pass) aridList(list []ast.Stmt) string {
	rule := ""
	for i, s := range list {
		r := p.aridStmt(s)
		switch {
		case r == "":
			return ""
		case i > 0 && r != rule:
			rule = aridBlock
		default:
			rule = r
		}
	}
	return rule
}

// debugCondition reports whether the condition asks for debugging and nothing
// else: "debug", "o.Verbose" or "log.Trace()".
func (p *pass) debugCondition(cond ast.Expr) bool {
	switch e := ast.Unparen(cond).(type) {
	case *ast.Ident:
		return debugName.MatchString(e.Name)
	case *ast.SelectorExpr:
		return debugName.MatchString(e.Sel.Name)
	case *ast.CallExpr:
		return p.debugCondition(e.Fun)
	}
	return false
}

// aridCall returns the rule for a call by what it calls.
func (p *pass) aridCall(call *ast.CallExpr) string {
	if p.isBuiltin(call, "print", "println") {
		return aridLogging
	}
	fn := p.callee(call)
	switch {
	case fn == nil || fn.Pkg() == nil:
		return ""
	case fn.Pkg() == p.Pkg:
		if p.ownLogger(fn) {
			return aridLogging
		}
		return ""
	}
	if rule := aridCalls[fn.FullName()]; rule != "" {
		return rule
	}
	if fn.FullName() == "(*time.Timer).Stop" && p.callsNothing(call) {
		return aridTime
	}
	if strings.HasPrefix(fn.FullName(), "fmt.Fprint") && (p.standardStream(call.Args[0]) || isErrorStream(call.Args[0])) {
		return aridLogging
	}
	return p.aridCallee(fn)
}

// callsNothing reports whether the receiver of a call is a variable to which the function assigns nothing but results
// of time.NewTimer. Such a timer calls nothing: stopping it only affects when its memory is freed.
func (p *pass) callsNothing(call *ast.CallExpr) bool {
	sel, ok := ast.Unparen(call.Fun).(*ast.SelectorExpr)
	if !ok || p.variable(sel.X) == nil {
		return false
	}
	timer := p.variable(sel.X)
	news, others := 0, 0
	ast.Inspect(p.Decl.Body, func(n ast.Node) bool {
		assign, ok := n.(*ast.AssignStmt)
		if !ok {
			return true
		}
		for i, x := range assign.Lhs {
			if id, ok := x.(*ast.Ident); !ok || p.Info.ObjectOf(id) != timer {
				continue
			}
			if len(assign.Rhs) == len(assign.Lhs) && p.isNewTimer(assign.Rhs[i]) {
				news++
			} else {
				others++
			}
		}
		return true
	})
	return news > 0 && others == 0
}

func (p *pass) isNewTimer(e ast.Expr) bool {
	call, ok := ast.Unparen(e).(*ast.CallExpr)
	if !ok {
		return false
	}
	fn := p.callee(call)
	return fn != nil && fn.FullName() == "time.NewTimer"
}

// aridCallee returns the rule for a function or method by its package, its
// receiver's type or its name.
func (p *pass) aridCallee(fn *types.Func) string {
	own, shared := strings.Split(p.Pkg.Path(), "/"), true
	for i, element := range strings.Split(fn.Pkg().Path(), "/") {
		// What both paths begin with says nothing: within a project for metrics, not all code is for metrics.
		shared = shared && i < len(own) && own[i] == element
		if rule := aridPackages[element]; rule != "" && !shared {
			return rule
		}
		if tracing[element] && isPrint(fn) && takesAnything(fn) {
			return aridLogging
		}
	}
	recv := fn.Signature().Recv()
	if recv == nil {
		return aridLevel(fn)
	}
	if named := namedType(recv.Type()); named != nil && loggerType.MatchString(named.Obj().Name()) {
		return aridLogging
	}
	if fn.Name() == "Grow" && fn.Signature().Results().Len() > 0 {
		return "" // it does more than to reserve memory
	}
	return aridMethods[fn.Name()]
}

// ownLogger reports whether fn is a method of a logger interface that the package declares, such as one for loggers
// that its users pass in, and the caller is no method of a logger. Logs may also be what the program is about, so the
// method must be named after a log level or like the print methods of log.Logger, and have the parameters of such
// methods.
func (p *pass) ownLogger(fn *types.Func) bool {
	isLogger := func(recv *types.Var) bool {
		named := namedType(recv.Type())
		return named != nil && loggerType.MatchString(named.Obj().Name())
	}
	recv := fn.Signature().Recv()
	if recv == nil || !types.IsInterface(recv.Type()) || !isLogger(recv) || !isLevel(fn) && !isPrint(fn) || !takesAnything(fn) && !takesMessage(fn) {
		return false
	}
	caller, _ := p.Info.Defs[p.Decl.Name].(*types.Func)
	return caller == nil || caller.Signature().Recv() == nil || !isLogger(caller.Signature().Recv())
}

// aridLevel returns the rule for a function that is named after a log level and has the parameters of such functions.
// (Methods are left alone, because those of *testing.T have such names, too.)
func aridLevel(fn *types.Func) string {
	if isLevel(fn) && takesAnything(fn) {
		return aridLogging
	}
	return ""
}

// isLevel reports whether a function is named after a log level and has no result.
func isLevel(fn *types.Func) bool {
	return levelName.MatchString(fn.Name()) && fn.Signature().Results().Len() == 0
}

// isPrint reports whether a function is called Print, Printf or Println and has no result.
func isPrint(fn *types.Func) bool {
	return slices.Contains([]string{"Print", "Printf", "Println"}, fn.Name()) && fn.Signature().Results().Len() == 0
}

// takesAnything reports whether the last parameter of a function is ...any.
func takesAnything(fn *types.Func) bool {
	sig := fn.Signature()
	if !sig.Variadic() {
		return false
	}
	last := sig.Params().At(sig.Params().Len() - 1).Type().(*types.Slice)
	elem, ok := last.Elem().Underlying().(*types.Interface)
	return ok && elem.Empty()
}

// takesMessage reports whether the parameters of a function are a string, or an error and a string.
func takesMessage(fn *types.Func) bool {
	params := fn.Signature().Params()
	if n := params.Len(); n != 1 && (n != 2 || !isError(params.At(0).Type())) || fn.Signature().Variadic() {
		return false
	}
	b, ok := params.At(params.Len() - 1).Type().Underlying().(*types.Basic)
	return ok && b.Info()&types.IsString != 0
}

// aridExpr returns the rule for an expression that is no arid call: constant durations, capacity hints, results that
// callers ignore, cache keys, help texts, and parts of the text of an error.
func (p *pass) aridExpr(c inspector.Cursor, e ast.Expr) string {
	if p.isConstant(e) && isNamed(p.Info.TypeOf(e), "time", "Duration") {
		return aridTime
	}
	if ret, ok := c.Parent().Node().(*ast.ReturnStmt); ok {
		switch i := c.ParentEdgeIndex(); {
		case p.besideError(c.Parent(), ret, i):
			return aridBeside
		case p.besideFalse(ret, i):
			return aridFalse
		}
	}
	switch {
	case c.ParentEdgeKind() == edge.KeyValueExpr_Value && p.errorField(c.Parent(), e):
		return aridErrorText
	case c.ParentEdgeKind() == edge.KeyValueExpr_Value && p.helpField(c.Parent(), e):
		return aridFlags
	case p.caches.isKey(c.Parent().Node(), e):
		return aridMemo
	}
	if c.ParentEdgeKind() != edge.CallExpr_Args {
		return ""
	}
	call := c.Parent().Node().(*ast.CallExpr)
	switch {
	case p.isBuiltin(call, "make"):
		if p.capacityHint(call, c.ParentEdgeIndex()) {
			return aridCapacity
		}
	case p.isBuiltin(call, "panic"):
		if p.basicInfo(e)&types.IsString != 0 {
			return aridErrorText
		}
	case p.makesError(call):
		if !isError(p.Info.TypeOf(e)) {
			return aridErrorText
		}
	}
	return ""
}

// besideError reports whether the i-th result of a return at c stands beside an error, so that callers ignore it. The
// last result is then an error other than the literal nil. The i-th is any value if the error is made on the spot, a
// constant or nil if it is any other error, and also any non-integer if the error is a package variable or an if
// statement has just found it: an integer may be a count that callers use.
func (p *pass) besideError(c inspector.Cursor, ret *ast.ReturnStmt, i int) bool {
	last := ret.Results[len(ret.Results)-1]
	if ret.Results[i] == last || !isFailure(p.Info.TypeOf(last)) || p.isNil(last) {
		return false
	}
	if call, ok := ast.Unparen(last).(*ast.CallExpr); ok && p.makesError(call) {
		return true
	}
	if p.isConstant(ret.Results[i]) || p.isNil(ret.Results[i]) {
		return true
	}
	return p.basicInfo(ret.Results[i])&types.IsInteger == 0 && (p.isSentinel(last) || p.hasFailed(c, last))
}

// isSentinel reports whether an expression is a package-level variable, such as io.EOF.
func (p *pass) isSentinel(e ast.Expr) bool {
	id, ok := ast.Unparen(e).(*ast.Ident)
	if sel, isSelector := ast.Unparen(e).(*ast.SelectorExpr); isSelector {
		id, ok = sel.Sel, true
	}
	if !ok {
		return false
	}
	v, ok := p.Info.Uses[id].(*types.Var)
	return ok && v.Pkg() != nil && v.Parent() == v.Pkg().Scope()
}

// hasFailed reports whether the statement at c stands directly in the body of an if statement that is
// entered only if the variable e is not nil.
func (p *pass) hasFailed(c inspector.Cursor, e ast.Expr) bool {
	v := p.variable(e)
	if v == nil {
		return false
	}
	list := c.Parent()
	branch, ok := list.Parent().Node().(*ast.IfStmt)
	return ok && list.ParentEdgeKind() == edge.IfStmt_Body && p.compares(branch.Cond, v, token.NEQ, token.LAND)
}

// besideFalse reports whether the i-th result of a return is a zero constant beside a constant false: "return 0, false"
// says that there is nothing to return.
func (p *pass) besideFalse(ret *ast.ReturnStmt, i int) bool {
	isFalse := func(e ast.Expr) bool {
		v := p.Info.Types[e].Value
		return v != nil && v.Kind() == constant.Bool && !constant.BoolVal(v)
	}
	v := p.Info.Types[ret.Results[i]].Value
	return v != nil && v.Kind() != constant.Bool && isZeroConstant(v) && slices.ContainsFunc(ret.Results, isFalse)
}

// errorField reports whether the expression is a text in a field of a
// composite literal that makes an error or a diagnostic.
func (p *pass) errorField(field inspector.Cursor, e ast.Expr) bool {
	lit, ok := field.Parent().Node().(*ast.CompositeLit)
	if !ok || p.basicInfo(e)&types.IsString == 0 {
		return false
	}
	named := namedType(p.Info.TypeOf(lit))
	return named != nil && errorType.MatchString(named.Obj().Name())
}

// helpField reports whether the expression is a help text in a field of a composite literal that makes a command or
// flag.
func (p *pass) helpField(field inspector.Cursor, e ast.Expr) bool {
	lit, ok := field.Parent().Node().(*ast.CompositeLit)
	name, isName := field.Node().(*ast.KeyValueExpr).Key.(*ast.Ident)
	if !ok || !isName || !helpName.MatchString(name.Name) || p.basicInfo(e)&types.IsString == 0 {
		return false
	}
	named := namedType(p.Info.TypeOf(lit))
	return named != nil && helpType.MatchString(named.Obj().Name())
}

// capacityHint reports whether an argument of make only affects how often
// memory is allocated.
func (p *pass) capacityHint(call *ast.CallExpr, arg int) bool {
	_, isMap := p.Info.TypeOf(call).Underlying().(*types.Map)
	return arg == 2 || arg == 1 && isMap
}

// standardStream reports whether the expression is os.Stdout or os.Stderr.
func (p *pass) standardStream(e ast.Expr) bool {
	sel, ok := ast.Unparen(e).(*ast.SelectorExpr)
	if !ok {
		return false
	}
	obj := p.Info.Uses[sel.Sel]
	return obj != nil && obj.Pkg() != nil && obj.Pkg().Path() == "os" && (obj.Name() == "Stdout" || obj.Name() == "Stderr")
}

// isErrorStream reports whether a writer is for messages rather than results, by its name or that of the function that
// returns it.
func isErrorStream(writer ast.Expr) bool {
	e := ast.Unparen(writer)
	if call, ok := e.(*ast.CallExpr); ok {
		e = call.Fun
	}
	switch e := e.(type) {
	case *ast.Ident:
		return errorName.MatchString(e.Name)
	case *ast.SelectorExpr:
		return errorName.MatchString(e.Sel.Name)
	}
	return false
}

// callee returns the function or method called; nil if it is not known.
func (p *pass) callee(call *ast.CallExpr) *types.Func {
	var id *ast.Ident
	switch fun := ast.Unparen(call.Fun).(type) {
	case *ast.Ident:
		id = fun
	case *ast.SelectorExpr:
		id = fun.Sel
	default:
		return nil
	}
	fn, _ := p.Info.Uses[id].(*types.Func)
	return fn
}

// namedType returns the named type that t is or points to; nil if there is none.
func namedType(t types.Type) *types.Named {
	if ptr, ok := types.Unalias(t).(*types.Pointer); ok {
		t = ptr.Elem()
	}
	named, _ := types.Unalias(t).(*types.Named)
	return named
}

// isNamed reports whether t is, or points to, the type with the given package path and name.
func isNamed(t types.Type, path, name string) bool {
	named := namedType(t)
	return named != nil && named.Obj().Name() == name && named.Obj().Pkg() != nil && named.Obj().Pkg().Path() == path
}
