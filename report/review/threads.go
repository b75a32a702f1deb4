package review

import (
	"context"
	"errors"
	"net/http"
	"strings"
)

// thread is a conversation on lines of a pull request.
type thread struct {
	id       string
	resolved bool
}

// settle resolves or reopens the threads that some of our comments began. comments maps their node IDs to whether to
// resolve the thread. Only GitHub's GraphQL API can do that.
func (p *poster) settle(ctx context.Context, pr int, comments map[string]bool) error {
	if len(comments) == 0 {
		return nil
	}
	threads, err := p.threads(ctx, pr)
	if err != nil {
		return err
	}
	var faults []error
	for comment, resolve := range comments {
		if t, ok := threads[comment]; ok && t.resolved != resolve {
			faults = append(faults, p.resolve(ctx, t.id, resolve))
		}
	}
	return errors.Join(faults...)
}

const threadsQuery = `query($owner: String!, $name: String!, $number: Int!, $after: String) {
  repository(owner: $owner, name: $name) {
    pullRequest(number: $number) {
      reviewThreads(first: 100, after: $after) {
        pageInfo { hasNextPage endCursor }
        nodes { id isResolved comments(first: 1) { nodes { id } } }
      }
    }
  }
}`

// threads returns the threads of a pull request by the node ID of their first comment.
func (p *poster) threads(ctx context.Context, pr int) (map[string]thread, error) {
	type comment struct{ ID string }
	type node struct {
		ID         string
		IsResolved bool
		Comments   struct{ Nodes []comment }
	}
	threads := map[string]thread{}
	variables := map[string]any{"owner": p.owner, "name": p.repo, "number": pr}
	for {
		var answer struct {
			Repository struct {
				PullRequest struct {
					ReviewThreads struct {
						PageInfo struct {
							HasNextPage bool
							EndCursor   string
						}
						Nodes []node
					}
				}
			}
		}
		if err := p.graphQL(ctx, threadsQuery, variables, &answer); err != nil {
			return nil, err
		}
		page := &answer.Repository.PullRequest.ReviewThreads
		for _, n := range page.Nodes {
			if len(n.Comments.Nodes) > 0 {
				threads[n.Comments.Nodes[0].ID] = thread{n.ID, n.IsResolved}
			}
		}
		if !page.PageInfo.HasNextPage {
			return threads, nil
		}
		variables["after"] = page.PageInfo.EndCursor
	}
}

const (
	resolveQuery   = `mutation($thread: ID!) { resolveReviewThread(input: {threadId: $thread}) { thread { id } } }`
	unresolveQuery = `mutation($thread: ID!) { unresolveReviewThread(input: {threadId: $thread}) { thread { id } } }`
)

func (p *poster) resolve(ctx context.Context, thread string, resolve bool) error {
	query := unresolveQuery
	if resolve {
		query = resolveQuery
	}
	return p.graphQL(ctx, query, map[string]any{"thread": thread}, new(struct{}))
}

// graphQLPath returns the path of the GraphQL API, relative to that of the REST API.
func (p *poster) graphQLPath() string {
	if strings.HasSuffix(p.client.BaseURL.Path, "/api/v3/") {
		return "../graphql" // on GitHub Enterprise Server
	}
	return "graphql"
}

// graphQL sends a query and decodes the data of the answer into to.
func (p *poster) graphQL(ctx context.Context, query string, variables map[string]any, to any) error {
	request, err := p.client.NewRequest(http.MethodPost, p.graphQLPath(), map[string]any{"query": query, "variables": variables})
	if err != nil {
		return err
	}
	answer := struct {
		Data   any
		Errors []struct{ Message string }
	}{Data: to}
	if _, err := p.client.Do(ctx, request, &answer); err != nil {
		return err
	}
	if len(answer.Errors) > 0 {
		return errors.New(answer.Errors[0].Message)
	}
	return nil
}
