/** The texts around every page of the console in English: its title and its menu. */
export const consoleFrame = {
  admin: 'Admin',
  site: 'Site',
  overview: 'Overview',
  sources: 'Sources',
  review: 'Review',
  records: 'Records',
  accounts: 'Accounts',
  settings: 'Settings',
  audit: 'Audit log',
};
