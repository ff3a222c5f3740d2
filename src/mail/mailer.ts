/**
 * Sends mails through an SMTP server (RFC 5321). A mail waits in memory until the server takes it: a response to a
 * browser never waits for the server. The log has the outcome without the address.
 */
import type { Log } from '../log.ts';
import { parseSender, type Sender } from '../setting-values.ts';

/** A mail in plain text. `to` is a bare address. */
export type Mail = { to: string; subject: string; text: string };

export type MailerOptions = {
  /** `smtp://user:password@mail.example.org:587`, or `smtps://…` for TLS from the start. */
  smtpUrl: string;
  /** The sender, such as `Our club <noreply@example.org>`. */
  from: string;
  log: Log;
  /** Waits before the second, third and fourth attempt, in ms. */
  retryDelaysMs?: readonly number[];
};

type Transport = { sendMail(mail: object): Promise<unknown>; close(): void };
type QueuedMail = { mail: Mail; purpose: string; attempts: number };

const maxQueued = 500;
const maxConcurrent = 2;
const defaultRetryDelaysMs = [10_000, 60_000, 300_000];
const timeouts = {
  connectionTimeout: 15_000,
  greetingTimeout: 15_000,
  socketTimeout: 30_000,
  dnsTimeout: 10_000,
};

/** Queues mails, at most 500, and sends two at once. Mails that wait are lost when the process ends. */
export class Mailer {
  readonly #options: MailerOptions;
  readonly #queue: QueuedMail[] = [];
  /** Mails that are sent again later, by the timer of their next attempt. */
  readonly #delayed = new Map<NodeJS.Timeout, QueuedMail>();
  /** As a text it would be parsed as a header, in which `Club: Berlin` is a group. */
  readonly #from: Sender;
  #transport: Promise<Transport> | undefined;
  #active = 0;
  #isClosed = false;

  constructor(options: MailerOptions) {
    this.#options = options;
    this.#from = parseSender(options.from) ?? { name: '', address: options.from };
  }

  /**
   * Queues a mail. A temporary error of the server is retried for some minutes; then the mail is dropped.
   * @param purpose what the mail is for, for the log
   */
  send(mail: Mail, purpose: string): void {
    const isFull = this.#queue.length + this.#delayed.size >= maxQueued;
    if (this.#isClosed) this.#logDropped(purpose, 'the service ends');
    else if (isFull) this.#logDropped(purpose, 'too many mails wait');
    else {
      this.#queue.push({ mail, purpose, attempts: 0 });
      this.#work();
    }
  }

  /** Drops the mails that wait, with a line in the log for each, and closes the connections. */
  close(): void {
    this.#isClosed = true;
    for (const { purpose } of [...this.#queue, ...this.#delayed.values()])
      this.#logDropped(purpose, 'the service ends');
    this.#queue.length = 0;
    for (const timer of this.#delayed.keys()) clearTimeout(timer);
    this.#delayed.clear();
    void this.#transport?.then(
      (transport) => transport.close(),
      () => {},
    );
  }

  #logDropped(purpose: string, reason: string): void {
    this.#options.log('error', 'mail not sent', { purpose, reason });
  }

  #work(): void {
    while (this.#active < maxConcurrent) {
      const next = this.#queue.shift();
      if (next === undefined) return;
      this.#active += 1;
      void this.#deliver(next).finally(() => {
        this.#active -= 1;
        this.#work();
      });
    }
  }

  async #deliver(queued: QueuedMail): Promise<void> {
    const { log, retryDelaysMs = defaultRetryDelaysMs } = this.#options;
    const { mail, purpose } = queued;
    try {
      const transport = await this.#open();
      await transport.sendMail({
        ...mail,
        // As a text it would be parsed as a header: a list, with comments and display names.
        to: { name: '', address: mail.to },
        from: this.#from,
        // RFC 3834: no automatic replies, please.
        headers: { 'Auto-Submitted': 'auto-generated' },
      });
      log('info', 'mail sent', { purpose });
    } catch (failure) {
      const delay = isPermanent(failure) ? undefined : retryDelaysMs[queued.attempts];
      const isLast = delay === undefined || this.#isClosed;
      log(isLast ? 'error' : 'warn', isLast ? 'mail not sent' : 'mail delayed', {
        purpose,
        reason: describeSmtpError(failure),
      });
      if (!isLast) this.#retryLater({ ...queued, attempts: queued.attempts + 1 }, delay);
    }
  }

  /** Opens the transport once. The next mail tries again if that fails. */
  #open(): Promise<Transport> {
    this.#transport ??= openTransport(this.#options.smtpUrl).catch((failure: unknown) => {
      this.#transport = undefined;
      throw failure;
    });
    return this.#transport;
  }

  #retryLater(queued: QueuedMail, delay: number): void {
    const timer = setTimeout(() => {
      this.#delayed.delete(timer);
      this.#queue.push(queued);
      this.#work();
    }, delay).unref();
    this.#delayed.set(timer, queued);
  }
}

async function openTransport(smtpUrl: string): Promise<Transport> {
  const { createTransport } = await import('nodemailer');
  return createTransport(smtpOptions(smtpUrl));
}

/**
 * Returns the options of the connection. Links in mails are as good as passwords, so TLS is required (STARTTLS, RFC 3207),
 * except on this machine.
 */
export function smtpOptions(smtpUrl: string): Record<string, unknown> & { host: string } {
  const url = new URL(smtpUrl);
  const secure = url.protocol === 'smtps:';
  const host = url.hostname.replace(/^\[|\]$/g, '');
  const isLocal = /^(?:localhost|127(?:\.\d+){3}|::1)$/.test(host);
  const user = decodeURIComponent(url.username);
  return {
    ...timeouts,
    host,
    port: Number(url.port) || (secure ? 465 : 587),
    secure,
    requireTLS: !secure && !isLocal,
    ignoreTLS: !secure && isLocal,
    ...(user === '' ? {} : { auth: { user, pass: decodeURIComponent(url.password) } }),
    // A file or an address in a mail would be read; the mails have neither.
    disableFileAccess: true,
    disableUrlAccess: true,
  };
}

/** Whether the server refused the mail for good (5xx), other than the sign-in at the server. */
function isPermanent(failure: unknown): boolean {
  const { responseCode, code } = failure as { responseCode?: number; code?: string };
  return code !== 'EAUTH' && responseCode !== undefined && responseCode >= 500;
}

/** The code of the error and of the server's reply. Texts of the server may contain the address. */
function describeSmtpError(failure: unknown): string {
  const { responseCode, code, command } = failure as {
    responseCode?: number;
    code?: string;
    command?: string;
  };
  return [code ?? 'error', responseCode, command].filter((part) => part !== undefined).join(' ');
}
