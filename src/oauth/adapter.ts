/** Where the library keeps its things: in the data file, through `accountTables`. */
import type { IncomingMessage } from 'node:http';
import Provider, { type Adapter, type AdapterFactory, type AdapterPayload, errors } from 'oidc-provider';
import { GrantRevoked, type OAuthPayload, type OAuthRepository, TooManyClients } from '../access/access.ts';
import { clientAddress } from '../http/client-address.ts';
import type { Log } from '../log.ts';

export type AdapterOptions = {
  tokens: OAuthRepository;
  trustProxy: boolean;
  log: Log;
  /** Where an unfinished request of this id goes on. */
  resumeAt: (id: string) => string;
};

/** Something of the library's that is kept as long as it says, under the digest of its id. */
class ItemAdapter implements Adapter {
  readonly #kind: string;
  readonly #tokens: OAuthRepository;
  constructor(kind: string, tokens: OAuthRepository) {
    this.#kind = kind;
    this.#tokens = tokens;
  }

  async upsert(id: string, payload: AdapterPayload, expiresIn: number): Promise<void> {
    // The id is what its owner presents: it stands nowhere in the file.
    const { jti: _id, ...rest } = payload as OAuthPayload;
    await translateErrors(this.#tokens.saveItem(this.#kind, id, rest, expiresIn, this.countedAddress()));
  }

  /** The address by which it is counted; undefined where it is not. */
  protected countedAddress(): string | undefined {
    return undefined;
  }

  async find(id: string): Promise<AdapterPayload | undefined> {
    const found = await this.#tokens.findItem(this.#kind, id);
    return found === undefined ? undefined : ({ ...found, jti: id } as AdapterPayload);
  }

  async consume(id: string): Promise<void> {
    // Somebody else was faster: the library has looked before, and would go on.
    if (!(await this.#tokens.consumeItem(this.#kind, id))) throw new errors.InvalidGrant('used already');
  }

  destroy(id: string): Promise<void> {
    return this.#tokens.deleteItem(this.#kind, id);
  }

  revokeByGrantId(grant: string): Promise<void> {
    return this.#tokens.deleteItemsOfGrant(this.#kind, grant);
  }

  async findByUid(): Promise<undefined> {}
  async findByUserCode(): Promise<undefined> {}
}

/** Authorization requests that wait for a person. Their id is part of an address that the library puts in as well. */
class InteractionAdapter extends ItemAdapter {
  readonly #resumeAt: (id: string) => string;
  readonly #trustProxy: boolean;
  constructor({ tokens, resumeAt, trustProxy }: AdapterOptions) {
    super('Interaction', tokens);
    this.#resumeAt = resumeAt;
    this.#trustProxy = trustProxy;
  }

  protected override countedAddress(): string | undefined {
    return callerAddress(this.#trustProxy);
  }

  override async upsert(id: string, payload: AdapterPayload, expiresIn: number): Promise<void> {
    const { returnTo: _address, ...rest } = payload as OAuthPayload;
    await super.upsert(id, rest as AdapterPayload, expiresIn);
  }

  override async find(id: string): Promise<AdapterPayload | undefined> {
    const found = await super.find(id);
    return found === undefined ? undefined : { ...found, returnTo: this.#resumeAt(id) };
  }
}

/** What a person allowed an app: shown on the dashboard, and with it end all its tokens. */
class GrantAdapter implements Adapter {
  readonly #tokens: OAuthRepository;
  constructor(tokens: OAuthRepository) {
    this.#tokens = tokens;
  }

  upsert(id: string, payload: AdapterPayload): Promise<void> {
    return translateErrors(this.#tokens.saveGrant(id, payload as OAuthPayload));
  }

  async find(id: string): Promise<AdapterPayload | undefined> {
    return (await this.#tokens.grant(id)) as AdapterPayload | undefined;
  }

  destroy(id: string): Promise<void> {
    return this.#tokens.revokeGrant(id);
  }

  async consume(): Promise<void> {}
  async revokeByGrantId(): Promise<void> {}
  async findByUid(): Promise<undefined> {}
  async findByUserCode(): Promise<undefined> {}
}

/** Clients that registered themselves. */
class ClientAdapter implements Adapter {
  readonly #keeping: AdapterOptions;
  constructor(keeping: AdapterOptions) {
    this.#keeping = keeping;
  }

  async upsert(id: string, payload: AdapterPayload): Promise<void> {
    const { tokens, trustProxy, log } = this.#keeping;
    const address = callerAddress(trustProxy) ?? 'unknown';
    await translateErrors(tokens.registerClient(id, payload as OAuthPayload, address));
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
const nullAdapter: Adapter = {
  upsert: async () => {},
  find: async () => undefined,
  findByUid: async () => undefined,
  findByUserCode: async () => undefined,
  consume: async () => {},
  destroy: async () => {},
  revokeByGrantId: async () => {},
};

/** The names are those of the library's classes: where bundling shortens them, nothing is found again. */
const itemKinds = new Set(['AccessToken', 'AuthorizationCode', 'RefreshToken', 'ReplayDetection']);

export const createAdapterFactory =
  (keeping: AdapterOptions): AdapterFactory =>
  (name) => {
    if (itemKinds.has(name)) return new ItemAdapter(name, keeping.tokens);
    if (name === 'Interaction') return new InteractionAdapter(keeping);
    if (name === 'Grant') return new GrantAdapter(keeping.tokens);
    if (name === 'Client') return new ClientAdapter(keeping);
    if (name === 'Session') return nullAdapter;
    throw new Error(`The authorization server keeps no ${name}.`);
  };

/** Where the request comes from that the library works on just now; undefined where it works on none. */
export function callerAddress(trustProxy: boolean): string | undefined {
  const { ctx } = Provider as unknown as { ctx?: { req: IncomingMessage } };
  return ctx === undefined ? undefined : clientAddress(ctx.req, trustProxy);
}

class TooManyRequests extends errors.OIDCProviderError {
  constructor(description: string) {
    super(429, 'temporarily_unavailable');
    this.error_description = description;
  }
}

/** Failures of `accountTables` in the words of OAuth. */
async function translateErrors<T>(work: Promise<T>): Promise<T> {
  try {
    return await work;
  } catch (failure) {
    if (failure instanceof GrantRevoked) throw new errors.InvalidGrant('the grant has ended');
    if (!(failure instanceof TooManyClients)) throw failure;
    Provider.ctx?.set('Retry-After', String(failure.retryAfter));
    const minutes = Math.ceil(failure.retryAfter / 60);
    throw new TooManyRequests(
      `${failure.message} Try again in ${minutes === 1 ? 'a minute' : `${minutes} minutes`}.`,
    );
  }
}
