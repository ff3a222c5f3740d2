// Package cratebase is a client of the cratebase API, without dependencies.
package cratebase

import (
	"container/list"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"strconv"
	"strings"
	"sync"
	"time"
)

// Options of a client. Zero values mean the defaults.
type Options struct {
	// MaxRetries is how often a request is repeated after 429, 502, 503, 504 or a broken connection.
	// Default: 3; negative: never.
	MaxRetries int
	// MaxWait is the longest Retry-After that is waited for; a longer one is returned as an error. Default: 60 s.
	MaxWait time.Duration
	// CacheSize is how many responses are kept for If-None-Match. Default: 500; negative: none.
	CacheSize int
	// HTTPClient replaces a client with a timeout of 30 s.
	HTTPClient *http.Client
}

// Client of a cratebase service. It is safe for concurrent use.
type Client struct {
	baseURL string
	key     string
	options Options
	cache   cache
}

// New returns a client. baseURL is the address of the service (https://music.example.org, with or without /api/v1), key an API key (cb_live_…).
func New(baseURL, key string, options Options) *Client {
	if options.MaxRetries == 0 {
		options.MaxRetries = 3
	}
	if options.MaxWait == 0 {
		options.MaxWait = time.Minute
	}
	if options.CacheSize == 0 {
		options.CacheSize = 500
	}
	if options.HTTPClient == nil {
		options.HTTPClient = &http.Client{Timeout: 30 * time.Second}
	}
	return &Client{
		baseURL: strings.TrimSuffix(strings.TrimRight(baseURL, "/"), "/api/v1"),
		key:     key,
		options: options,
		cache:   cache{size: options.CacheSize, entries: map[string]*list.Element{}, order: list.New()},
	}
}

// Error is a response other than a success.
type Error struct {
	Status    int    `json:"-"`
	Type      string `json:"type"`
	Message   string `json:"message"`
	Param     string `json:"param"`
	RequestID string `json:"request_id"`
	// RetryAfter is how long to wait before the next attempt; 0 if the service does not say.
	RetryAfter time.Duration `json:"-"`
}

func (e *Error) Error() string { return fmt.Sprintf("%d %s: %s", e.Status, e.Type, e.Message) }

// PageInfo says where a list goes on.
type PageInfo = Page

// ListPage is a page of a list.
type ListPage[T any] struct {
	Data []T      `json:"data"`
	Page PageInfo `json:"page"`
}

// List iterates over the entries of a list: for list.Next() { use(list.Value()) }, then list.Err().
type List[T any] struct {
	ctx    context.Context
	client *Client
	path   string
	query  url.Values
	page   ListPage[T]
	index  int
	begun  bool
	err    error
}

func newList[T any](ctx context.Context, c *Client, path string, query url.Values) *List[T] {
	return &List[T]{ctx: ctx, client: c, path: path, query: query, index: -1}
}

// Next reads the next entry. It returns false at the end and after an error.
func (l *List[T]) Next() bool {
	l.index++
	for l.err == nil && l.index >= len(l.page.Data) {
		if !l.NextPage() {
			return false
		}
		l.index = 0
	}
	return l.err == nil
}

// Value is the entry that Next read.
func (l *List[T]) Value() T { return l.page.Data[l.index] }

// NextPage reads the next page. It returns false at the end and after an error.
func (l *List[T]) NextPage() bool {
	if l.err != nil || l.begun && l.page.Page.NextCursor == nil {
		return false
	}
	if l.begun {
		l.query.Set("cursor", *l.page.Page.NextCursor)
	}
	l.begun = true
	l.page = ListPage[T]{}
	l.err = l.client.get(l.ctx, l.path, l.query, &l.page)
	return l.err == nil
}

// Page is the page that NextPage or Next read.
func (l *List[T]) Page() ListPage[T] { return l.page }

// Err is the error that ended the iteration.
func (l *List[T]) Err() error { return l.err }

func getDetail[T any](ctx context.Context, c *Client, path string) (T, error) {
	var body struct {
		Data T `json:"data"`
	}
	err := c.get(ctx, path, nil, &body)
	return body.Data, err
}

// get sends a request, again after Retry-After if the service asks for it.
func (c *Client) get(ctx context.Context, path string, query url.Values, into any) error {
	if err := checkPath(path); err != nil {
		return err
	}
	target := c.baseURL + path
	if len(query) > 0 {
		target += "?" + query.Encode()
	}
	for attempt := 0; ; attempt++ {
		body, err := c.attempt(ctx, target)
		if err == nil {
			return json.Unmarshal(body, into)
		}
		wait := 200 * time.Millisecond << attempt
		var problem *Error
		if errors.As(err, &problem) {
			if problem.Status != 429 && (problem.Status < 502 || problem.Status > 504) {
				return err
			}
			if problem.RetryAfter > 0 {
				wait = problem.RetryAfter
			}
		}
		if attempt >= c.options.MaxRetries || wait > c.options.MaxWait || ctx.Err() != nil {
			return err
		}
		select {
		case <-ctx.Done():
			return ctx.Err()
		case <-time.After(wait):
		}
	}
}

// checkPath refuses an empty slug, which would ask for the list, and dots, which ask for what is above it.
func checkPath(path string) error {
	for _, segment := range strings.Split(strings.TrimPrefix(path, "/"), "/") {
		if segment == "" || segment == "." || segment == ".." {
			return &Error{
				Type:    "invalid_parameter",
				Message: fmt.Sprintf("%q is not a slug: %s has no record.", segment, path),
			}
		}
	}
	return nil
}

func (c *Client) attempt(ctx context.Context, target string) ([]byte, error) {
	request, err := http.NewRequestWithContext(ctx, http.MethodGet, target, nil)
	if err != nil {
		return nil, err
	}
	request.Header.Set("Authorization", "Bearer "+c.key)
	request.Header.Set("Accept", "application/json")
	etag, cached := c.cache.get(target)
	if etag != "" {
		request.Header.Set("If-None-Match", etag)
	}
	response, err := c.options.HTTPClient.Do(request)
	if err != nil {
		return nil, err
	}
	defer response.Body.Close()
	body, err := io.ReadAll(response.Body)
	if err != nil {
		return nil, err
	}
	if response.StatusCode == http.StatusNotModified && etag != "" {
		return cached, nil
	}
	if response.StatusCode != http.StatusOK {
		return nil, toError(response, body)
	}
	c.cache.put(target, response.Header.Get("ETag"), body)
	return body, nil
}

func toError(response *http.Response, body []byte) error {
	content := struct {
		Error Error `json:"error"`
	}{Error{Type: "unknown", Message: response.Status, RequestID: response.Header.Get("X-Request-Id")}}
	_ = json.Unmarshal(body, &content) // A proxy may answer with another body.
	problem := content.Error
	problem.Status = response.StatusCode
	if seconds, err := strconv.Atoi(response.Header.Get("Retry-After")); err == nil {
		problem.RetryAfter = time.Duration(seconds) * time.Second
	}
	return &problem
}

// cache keeps the responses used last, by URL.
type cache struct {
	mutex   sync.Mutex
	size    int
	entries map[string]*list.Element
	order   *list.List
}

type cacheEntry struct {
	target, etag string
	body         []byte
}

func (c *cache) get(target string) (string, []byte) {
	c.mutex.Lock()
	defer c.mutex.Unlock()
	element, ok := c.entries[target]
	if !ok {
		return "", nil
	}
	c.order.MoveToBack(element)
	entry := element.Value.(*cacheEntry)
	return entry.etag, entry.body
}

func (c *cache) put(target, etag string, body []byte) {
	if etag == "" || c.size < 1 {
		return
	}
	c.mutex.Lock()
	defer c.mutex.Unlock()
	if element, ok := c.entries[target]; ok {
		c.order.Remove(element)
	}
	c.entries[target] = c.order.PushBack(&cacheEntry{target, etag, body})
	if c.order.Len() > c.size {
		oldest := c.order.Front()
		c.order.Remove(oldest)
		delete(c.entries, oldest.Value.(*cacheEntry).target)
	}
}
