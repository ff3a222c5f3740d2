/** Where the library keeps its things: in the data file, through `access`. */
import type { IncomingMessage } from 'node:http';
import Provider, { type Adapter, type AdapterFactory, type AdapterPayload, errors } from 'oidc-provider';
import { GrantEnded, type Payload, type Tokens, TooManyClients } from '../access/access.ts';
import { clientAddress } from '../http/client.ts';
import type { Log } from '../log.ts';

export type Keeping = {
  tokens: Tokens;
  trustProxy: boolean;
  log: Log;
  /** Where an unfinished request of this id goes on. */
  resumeAt: (id: string) => string;
};

/** Something of the library's that is kept as long as it says, under the digest of its id. */
class Items implements Adapter {
  readonly #kind: string;
  readonly #tokens: Tokens;
  constructor(kind: string, tokens: Tokens) {
    this.#kind = kind;
    this.#tokens = tokens;
  }

  async upsert(id: string, payload: AdapterPayload, expiresIn: number): Promise<void> {
    // The id is what its owner presents: it stands nowhere in the file.
    const { jti: _id, ...rest } = payload as Payload;
    await translated(this.#tokens.save(this.#kind, id, rest, expiresIn, this.from()));
  }

  /** The address by which it is counted; undefined where it is not. */
  protected from(): string | undefined {
    return undefined;
  }

  async find(id: string): Promise<AdapterPayload | undefined> {
    const found = await this.#tokens.find(this.#kind, id);
    return found === undefined ? undefined : ({ ...found, jti: id } as AdapterPayload);
  }

  async consume(id: string): Promise<void> {
    // Somebody else was faster: the library has looked before, and would go on.
    if (!(await this.#tokens.consume(this.#kind, id))) throw new errors.InvalidGrant('used already');
  }

  destroy(id: string): Promise<void> {
    return this.#tokens.destroy(this.#kind, id);
  }

  revokeByGrantId(grant: string): Promise<void> {
    return this.#tokens.destroyAll(this.#kind, grant);
  }

  async findByUid(): Promise<undefined> {}
  async findByUserCode(): Promise<undefined> {}
}

/** Authorization requests that wait for a person. Their id is part of an address that the library puts in as well. */
class Interactions extends Items {
  readonly #resumeAt: (id: string) => string;
  readonly #trustProxy: boolean;
  constructor({ tokens, resumeAt, trustProxy }: Keeping) {
    super('Interaction', tokens);
    this.#resumeAt = resumeAt;
    this.#trustProxy = trustProxy;
  }

  protected override from(): string | undefined {
    return callerOf(this.#trustProxy);
  }

  override async upsert(id: string, payload: AdapterPayload, expiresIn: number): Promise<void> {
    const { returnTo: _address, ...rest } = payload as Payload;
    await super.upsert(id, rest as AdapterPayload, expiresIn);
  }

  override async find(id: string): Promise<AdapterPayload | undefined> {
    const found = await super.find(id);
    return found === undefined ? undefined : { ...found, returnTo: this.#resumeAt(id) };
  }
}

/** What a person allowed an app: shown on the dashboard, and with it end all its tokens. */
class Grants implements Adapter {
  readonly #tokens: Tokens;
  constructor(tokens: Tokens) {
    this.#tokens = tokens;
  }

  upsert(id: string, payload: AdapterPayload): Promise<void> {
    return translated(this.#tokens.saveGrant(id, payload as Payload));
  }

  async find(id: string): Promise<AdapterPayload | undefined> {
    return (await this.#tokens.grant(id)) as AdapterPayload | undefined;
  }

  destroy(id: string): Promise<void> {
    return this.#tokens.endGrant(id);
  }

  async consume(): Promise<void> {}
  async revokeByGrantId(): Promise<void> {}
  async findByUid(): Promise<undefined> {}
  async findByUserCode(): Promise<undefined> {}
}

/** Clients that registered themselves. */
class Clients implements Adapter {
  readonly #keeping: Keeping;
  constructor(keeping: Keeping) {
    this.#keeping = keeping;
  }

  async upsert(id: string, payload: AdapterPayload): Promise<void> {
    const { tokens, trustProxy, log } = this.#keeping;
    const address = callerOf(trustProxy) ?? 'unknown';
    await translated(tokens.register(id, payload as Payload, address));
    log('info', 'app registered', { client: id, address });
  }

  async find(id: string): Promise<AdapterPayload | undefined> {
    return (await this.#keeping.tokens.client(id)) as AdapterPayload | undefined;
  }

  async destroy(): Promise<void> {}
  async consume(): Promise<void> {}
  async revokeByGrantId(): Promise<void> {}
  async findByUid(): Promise<undefined> {}
  async findByUserCode(): Promise<undefined> {}
}

/** The library's own sessions last for one authorization (`oauth.ts`): there is nothing to keep. */
const nothing: Adapter = {
  upsert: async () => {},
  find: async () => undefined,
  findByUid: async () => undefined,
  findByUserCode: async () => undefined,
  consume: async () => {},
  destroy: async () => {},
  revokeByGrantId: async () => {},
};

/** The names are those of the library's classes: where bundling shortens them, nothing is found again. */
const kinds = new Set(['AccessToken', 'AuthorizationCode', 'RefreshToken', 'ReplayDetection']);

export const makeAdapter =
  (keeping: Keeping): AdapterFactory =>
  (name) => {
    if (kinds.has(name)) return new Items(name, keeping.tokens);
    if (name === 'Interaction') return new Interactions(keeping);
    if (name === 'Grant') return new Grants(keeping.tokens);
    if (name === 'Client') return new Clients(keeping);
    if (name === 'Session') return nothing;
    throw new Error(`The authorization server keeps no ${name}.`);
  };

/** Where the request comes from that the library works on just now; undefined where it works on none. */
export function callerOf(trustProxy: boolean): string | undefined {
  const { ctx } = Provider as unknown as { ctx?: { req: IncomingMessage } };
  return ctx === undefined ? undefined : clientAddress(ctx.req, trustProxy);
}

class TooMany extends errors.OIDCProviderError {
  constructor(description: string) {
    super(429, 'temporarily_unavailable');
    this.error_description = description;
  }
}

/** Failures of `access` in the words of OAuth. */
async function translated<T>(work: Promise<T>): Promise<T> {
  try {
    return await work;
  } catch (failure) {
    if (failure instanceof GrantEnded) throw new errors.InvalidGrant('the grant has ended');
    if (!(failure instanceof TooManyClients)) throw failure;
    Provider.ctx?.set('Retry-After', String(failure.retryAfter));
    const minutes = Math.ceil(failure.retryAfter / 60);
    throw new TooMany(
      `${failure.message} Try again in ${minutes === 1 ? 'a minute' : `${minutes} minutes`}.`,
    );
  }
}
