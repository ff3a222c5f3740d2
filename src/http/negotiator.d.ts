declare module 'negotiator' {
  /** Reads what a client accepts (RFC 9110, section 12.5). */
  export default class Negotiator {
    constructor(request: { headers: Record<string, string | undefined> });
    /**
     * The codings of `available` that the client accepts, best first.
     * @param available the codings on offer
     * @param options `preferred`: the order of those that the client ranks alike
     */
    encodings(available: readonly string[], options?: { preferred?: readonly string[] }): string[];
  }
}
