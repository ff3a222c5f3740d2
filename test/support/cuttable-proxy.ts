/** A way to PostgreSQL that a test can freeze and cut. */
import { mkdtempSync, rmSync } from 'node:fs';
import { createServer, connect as open, type Server, type Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { ClusterAddress } from '../../src/cluster/connection.ts';

const socketName = '.s.PGSQL.5432';
type Address = Exclude<ClusterAddress, string>;

export class CuttableProxy {
  /** The address of the database by way of the proxy. */
  readonly address: Address;
  #target: string;
  readonly #folder: string;
  readonly #server: Server;
  readonly #pairs = new Set<readonly [Socket, Socket]>();
  #isFrozen = false;
  #isBlocked = false;

  constructor(address: ClusterAddress) {
    const target = address as Address;
    this.#folder = mkdtempSync(join(tmpdir(), 'cratebase-cut-'));
    this.#target = join(target.host, socketName);
    this.address = { ...target, host: this.#folder };
    this.#server = createServer({ allowHalfOpen: true }, (near) => this.#join(near));
  }

  listen(): Promise<void> {
    return new Promise((resolve) => this.#server.listen(join(this.#folder, socketName), resolve));
  }

  /** From now on answers vanish, and the ends of connections too; what clients send still arrives. */
  freeze(): void {
    this.#isFrozen = true;
  }

  /** Leads new connections to another server, and breaks those there are. */
  redirect(address: ClusterAddress): void {
    this.#target = join((address as Address).host, socketName);
    this.cut();
  }

  /** Breaks all connections, and new ones as soon as they are opened. */
  block(): void {
    this.cut();
    this.#isBlocked = true;
  }

  /** Breaks all connections, and lets new ones through. */
  cut(): void {
    this.#isFrozen = false;
    this.#isBlocked = false;
    for (const pair of this.#pairs) for (const socket of pair) socket.destroy();
  }

  async close(): Promise<void> {
    this.cut();
    await new Promise((resolve) => this.#server.close(resolve));
    rmSync(this.#folder, { recursive: true, force: true });
  }

  #join(near: Socket): void {
    if (this.#isBlocked) {
      near.destroy();
      return;
    }
    const far = open(this.#target);
    const pair = [near, far] as const;
    this.#pairs.add(pair);
    near.on('data', (bytes) => far.write(bytes));
    far.on('data', (bytes) => {
      if (!this.#isFrozen) near.write(bytes);
    });
    near.on('end', () => {
      if (!this.#isFrozen) near.end();
    });
    for (const socket of pair) {
      socket.on('error', () => {});
      socket.on('close', () => {
        if (this.#isFrozen && socket === far) return;
        for (const one of pair) one.destroy();
        this.#pairs.delete(pair);
      });
    }
  }
}
