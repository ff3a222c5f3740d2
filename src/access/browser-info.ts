/** Origin of a request: the address as the server sees it, and data from the browser. */
export type BrowserInfo = {
  address: string;
  userAgent: string;
  /** The device cookie that `issueDeviceCookie` gave this browser before. */
  known?: string | undefined;
};
