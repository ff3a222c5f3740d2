/** Storage of the OAuth library: in the data file, through `OAuthRepository`. */
import Provider, { type Adapter, type AdapterFactory, type AdapterPayload, errors } from 'oidc-provider';
import {
  GrantRevoked,
  type OAuthPayload,
  type OAuthRepository,
  sharedClientPrefix,
  TooManyClients,
} from '../access/access.ts';
import { clientAddress } from '../http/client-address.ts';
import type { Log } from '../log.ts';
import { anyLoopbackPort } from './shared-clients.ts';

export type AdapterOptions = {
  tokens: OAuthRepository;
  trustProxy: boolean;
  log: Log;
  /** Returns the address where an unfinished request with this id continues. */
  resumeAt: (id: string) => string;
};

/** Stores items of the library until they expire, under the digest of their id. */
class ItemAdapter implements Adapter {
  readonly #kind: string;
  readonly #tokens: OAuthRepository;
  constructor(kind: string, tokens: OAuthRepository) {
    this.#kind = kind;
    this.#tokens = tokens;
  }

  async upsert(id: string, payload: AdapterPayload, expiresIn: number): Promise<void> {
    // The id is a secret of its owner and is not stored.
    const { jti: _id, ...rest } = payload as OAuthPayload;
    await translateErrors(this.#tokens.saveItem(this.#kind, id, rest, expiresIn, this.countedAddress()));
  }

  /** The address for which new items are counted; undefined: they are not counted. */
  protected countedAddress(): string | undefined {
    return undefined;
  }

  async find(id: string): Promise<AdapterPayload | undefined> {
    const item = await this.#tokens.findItem(this.#kind, id);
    return item === undefined ? undefined : ({ ...item, jti: id } as AdapterPayload);
  }

  async consume(id: string): Promise<void> {
    // A concurrent request used it after the library's own check.
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

/** Authorization requests that wait for a decision. `returnTo` is derived from the id and not stored. */
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
    const item = await super.find(id);
    return item === undefined ? undefined : { ...item, returnTo: this.#resumeAt(id) };
  }
}

/** Grants: what a person allowed an app. Revoking a grant ends all its tokens. */
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
  readonly #options: AdapterOptions;
  constructor(options: AdapterOptions) {
    this.#options = options;
  }

  async upsert(id: string, payload: AdapterPayload): Promise<void> {
    const { tokens, trustProxy, log } = this.#options;
    const address = callerAddress(trustProxy) ?? 'unknown';
    const metadata = payload as OAuthPayload;
    const { isNew, issuedAt } = await translateErrors(tokens.registerClient(id, metadata, address));
    if (isNew) log('info', 'app registered', { client: id, address });
    else if (Provider.ctx !== undefined) Provider.ctx.state.clientIdIssuedAt = issuedAt;
  }

  async find(id: string): Promise<AdapterPayload | undefined> {
    const metadata = await this.#options.tokens.client(id);
    if (metadata === undefined || !id.startsWith(sharedClientPrefix)) return metadata as AdapterPayload;
    return anyLoopbackPort(metadata) as AdapterPayload;
  }

  async destroy(): Promise<void> {}
  async consume(): Promise<void> {}
  async revokeByGrantId(): Promise<void> {}
  async findByUid(): Promise<undefined> {}
  async findByUserCode(): Promise<undefined> {}
}

/** Sessions of the library are not stored: they last for one authorization (`handler.ts`). */
const nullAdapter: Adapter = {
  upsert: async () => {},
  find: async () => undefined,
  findByUid: async () => undefined,
  findByUserCode: async () => undefined,
  consume: async () => {},
  destroy: async () => {},
  revokeByGrantId: async () => {},
};

/** Class names of the library. The bundler must not shorten them: stored items would not be found. */
const itemKinds = new Set(['AccessToken', 'AuthorizationCode', 'RefreshToken', 'ReplayDetection']);

/**
 * Returns the factory that the library asks for the storage of each of its classes, by class name. Throws for an
 * unknown one.
 */
export const createAdapterFactory =
  (options: AdapterOptions): AdapterFactory =>
  (name) => {
    if (itemKinds.has(name)) return new ItemAdapter(name, options.tokens);
    if (name === 'Interaction') return new InteractionAdapter(options);
    if (name === 'Grant') return new GrantAdapter(options.tokens);
    if (name === 'Client') return new ClientAdapter(options);
    if (name === 'Session') return nullAdapter;
    throw new Error(`There is no storage for ${name}.`);
  };

/** Returns the client address of the library's current request; undefined if there is none. */
export function callerAddress(trustProxy: boolean): string | undefined {
  const { ctx } = Provider;
  return ctx === undefined ? undefined : clientAddress(ctx.req, trustProxy);
}

class TooManyRequests extends errors.OIDCProviderError {
  constructor(description: string) {
    super(429, 'temporarily_unavailable');
    this.error_description = description;
  }
}

/** Turns failures of the repository into OAuth errors. */
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
