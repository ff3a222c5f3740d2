/** The services that several classes of this folder share. */
import type { AccountLifecycle } from './account-lifecycle.ts';
import type { DeviceCookies } from './device-cookies.ts';
import type { Base } from './parts.ts';
import type { Passwords } from './passwords.ts';
import type { Throttle } from './throttle.ts';

export type Services = Base & {
  lifecycle: AccountLifecycle;
  throttle: Throttle;
  passwords: Passwords;
  deviceCookies: DeviceCookies;
};
