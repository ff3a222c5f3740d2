"""What all operations share: the key, retries, the cache of entity tags, and iterators over lists."""

from __future__ import annotations

import copy
import json
import time
import urllib.error
import urllib.parse
import urllib.request
from collections import OrderedDict
from typing import Any, Callable, Generic, Iterator, Mapping, TypeVar

T = TypeVar("T")
_RETRIED = {429, 502, 503, 504}


def quote(text: str) -> str:
    """Escapes a value for a path."""
    return urllib.parse.quote(text, safe="")


def _check_path(path: str) -> None:
    """An empty slug would ask for the list, and dots for what is above it."""
    for segment in path[1:].split("/"):
        if segment in ("", ".", ".."):
            message = f'"{segment}" is not a slug: {path} has no record.'
            raise CratebaseError(message, type="invalid_parameter")


class CratebaseError(Exception):
    """A response other than a success, or a service that cannot be reached (status 0)."""

    def __init__(
        self,
        message: str,
        *,
        status: int = 0,
        type: str = "unreachable",
        param: str | None = None,
        request_id: str | None = None,
        retry_after: float | None = None,
    ) -> None:
        super().__init__(message)
        self.status = status
        self.type = type
        self.param = param
        self.request_id = request_id
        self.retry_after = retry_after


class List(Generic[T]):
    """A list: iterate over it for all entries, or read it page by page."""

    def __init__(self, read: Callable[[str | None], Any]) -> None:
        self._read = read

    def page(self, cursor: str | None = None) -> Any:
        """Reads one page: the first one, or that of a cursor."""
        return self._read(cursor)

    def pages(self) -> Iterator[Any]:
        """Reads page after page."""
        cursor = None
        while True:
            page = self._read(cursor)
            yield page
            cursor = page["page"]["next_cursor"]
            if cursor is None:
                return

    def __iter__(self) -> Iterator[T]:
        for page in self.pages():
            yield from page["data"]


class Client:
    """
    :param base_url: the address of the service: ``https://music.example.org``, with or without ``/api/v1``
    :param key: an API key: ``cb_live_…``
    :param max_retries: how often a request is repeated after 429, 502, 503, 504 or a broken connection
    :param max_wait: a longer ``Retry-After`` is raised instead of waited for, in seconds
    :param cache_size: how many responses are kept for ``If-None-Match``; 0 turns the cache off
    :param timeout: seconds until a connection without an answer counts as broken
    """

    def __init__(
        self,
        base_url: str,
        key: str,
        *,
        max_retries: int = 3,
        max_wait: float = 60,
        cache_size: int = 500,
        timeout: float = 30,
    ) -> None:
        self._base_url = base_url.rstrip("/").removesuffix("/api/v1")
        self._key = key
        self._max_retries = max_retries
        self._max_wait = max_wait
        self._cache_size = cache_size
        self._timeout = timeout
        self._cache: OrderedDict[str, tuple[str, Any]] = OrderedDict()

    def _detail(self, path: str) -> Any:
        return self.get(path, {})["data"]

    def _list(self, path: str, query: Mapping[str, Any]) -> List[Any]:
        def read(cursor: str | None) -> Any:
            return self.get(path, query if cursor is None else {**query, "cursor": cursor})

        return List(read)

    def get(self, path: str, query: Mapping[str, Any]) -> Any:
        """Sends a request, again after ``Retry-After`` if the service asks for it. Raises ``CratebaseError``."""
        _check_path(path)
        given = {name: value for name, value in query.items() if value is not None}
        url = f"{self._base_url}{path}" + (f"?{urllib.parse.urlencode(given)}" if given else "")
        attempt = 0
        while True:
            try:
                return self._attempt(url)
            except CratebaseError as failure:
                if attempt >= self._max_retries or (failure.status and failure.status not in _RETRIED):
                    raise
                wait = 0.2 * 2**attempt if failure.retry_after is None else failure.retry_after
                if wait > self._max_wait:
                    raise
            time.sleep(wait)
            attempt += 1

    def _attempt(self, url: str) -> Any:
        request = urllib.request.Request(url)
        request.add_header("Authorization", f"Bearer {self._key}")
        request.add_header("Accept", "application/json")
        cached = self._cache.get(url)
        if cached is not None:
            request.add_header("If-None-Match", cached[0])
        try:
            with urllib.request.urlopen(request, timeout=self._timeout) as response:
                return self._keep(url, response.headers.get("ETag"), json.load(response))
        except urllib.error.HTTPError as response:
            with response:
                if response.code == 304 and cached is not None:
                    return self._keep(url, *cached)
                raise _to_error(response) from None
        except (OSError, ValueError) as failure:
            raise CratebaseError(f"{url} cannot be read: {failure}") from failure

    def _keep(self, url: str, etag: str | None, body: Any) -> Any:
        self._cache.pop(url, None)
        if etag is not None and self._cache_size > 0:
            self._cache[url] = (etag, body)
        if len(self._cache) > self._cache_size:
            self._cache.popitem(last=False)
        return copy.deepcopy(body)


def _to_error(response: urllib.error.HTTPError) -> CratebaseError:
    try:
        error = json.load(response)["error"]
    except (ValueError, KeyError, TypeError):
        error = {}
    seconds = response.headers.get("Retry-After", "")
    return CratebaseError(
        error.get("message", f"The service answered {response.code}."),
        status=response.code,
        type=error.get("type", "unknown"),
        param=error.get("param"),
        request_id=error.get("request_id", response.headers.get("X-Request-Id")),
        retry_after=float(seconds) if seconds.isdigit() else None,
    )
