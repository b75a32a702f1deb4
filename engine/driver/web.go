package driver

import (
	"fmt"
	"go/types"

	"github.com/mutantfuzz/mutantfuzz/engine/testfile"
)

// verbs are the HTTP methods that requests have, one of them in lower case.
var verbs = []string{"GET", "POST", "HEAD", "PUT", "OPTIONS", "DELETE", "PATCH", "get"}

// web makes a value of the type of net/http with the given name: a *Request, a ResponseWriter or a Handler.
func (m *maker) web(name, typeName string, pointer bool) (expr string, ok bool) {
	if m.Pkg.Path() == "net/http" {
		return "", false
	}
	switch {
	case pointer && typeName == "Request":
		return m.request(name), true
	case pointer:
	case typeName == "ResponseWriter":
		w := m.recorder()
		if m.loops == 0 {
			m.asks = append(m.asks, asksRecorder(w))
		}
		return w, true
	case typeName == "Handler":
		return m.handler(), true
	}
	return "", false
}

// handler makes a handler. Two in a row answer differently, which shows which of them was called.
func (m *maker) handler() string {
	m.handlers++
	if m.handlers%2 == 0 {
		return m.Library("net/http", "http") + `.RedirectHandler("/", 302)`
	}
	return m.Library("net/http", "http") + ".NotFoundHandler()"
}

// request makes a request as a server gets it, with a header if the input has a key for one.
func (m *maker) request(name string) string {
	text := func(name string) string { return m.basic(name, testfile.StringType, testfile.StringType) }
	v, httptest := m.Fresh(orElse(name, "r")), m.Library("net/http/httptest", "httptest")
	method := m.variable("method", fmt.Sprintf("%#v[%s]", verbs, m.readUpTo(len(verbs)-1)))
	target := m.variable("target", fmt.Sprintf("(*%s)(nil).target(%s)", m.writer.input, text("target")))
	m.do("%s := %s.NewRequest(%s, %s, %s.NewReader(%s))", v, httptest, method, target, m.Std("strings"), text("body"))
	key, value := m.variable("key", text("key")), text("value")
	m.do("if %s != \"\" {\n%s.Header.Set(%s, %s)\n}", key, v, key, value)
	return v
}

// recorder makes a response writer that records what is written to it.
func (m *maker) recorder() string {
	expr := m.Library("net/http/httptest", "httptest") + ".NewRecorder()"
	if m.loops > 0 {
		return expr
	}
	return m.variable("w", expr)
}

// asksRecorder returns calls that read the response from a recorder.
func asksRecorder(recorder string) string {
	return fmt.Sprintf("%s.Body.String()\n%[1]s.Header()\n%[1]s.Result()", recorder)
}

// served returns statements in which value, a handler or a middleware that a call returns, serves a request, and which
// read the response. It is empty for other types.
func (m *maker) served(value string, typ types.Type) string {
	switch {
	case m.Pkg.Path() == "net/http":
		return ""
	case isMiddleware(typ):
		value += "(" + m.handler() + ")"
	case !isHandler(typ):
		return ""
	}
	recorder, request := m.recorder(), m.request("r")
	return fmt.Sprintf("%s.ServeHTTP(%s, %s)\n%s\n", value, recorder, request, asksRecorder(recorder))
}

// isHandler reports whether a type is http.Handler or http.HandlerFunc.
func isHandler(typ types.Type) bool {
	path, name, pointer := testfile.Qualified(typ)
	return path == "net/http" && !pointer && (name == "Handler" || name == "HandlerFunc")
}

// isMiddleware reports whether a type is that of functions from one handler to another.
func isMiddleware(typ types.Type) bool {
	sig, ok := typ.Underlying().(*types.Signature)
	return ok && sig.Params().Len() == 1 && !sig.Variadic() && sig.Results().Len() == 1 && isHandler(sig.Params().At(0).Type()) && isHandler(sig.Results().At(0).Type())
}
