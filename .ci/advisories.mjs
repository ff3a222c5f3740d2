#!/usr/bin/env node
/**
 * Checks the shipped packages of package-lock.json against the advisories of the npm registry (`npm audit`).
 * Exits with 1 for an advisory of severity high or critical. A registry without advisories is reported on standard
 * output and is not a failure: `node .ci/advisories.mjs`.
 */
import { spawnSync } from 'node:child_process';

const args = ['audit', '--json', '--omit=dev', '--audit-level=high'];
const { status, stdout, stderr, error } = spawnSync('npm', args, {
  encoding: 'utf8',
  timeout: 120_000,
  maxBuffer: 64e6,
});
const report = readReport(stdout ?? '');

if (report?.vulnerabilities === undefined) {
  const reason =
    error?.message ?? report?.message ?? /npm warn audit (.*)/.exec(stderr)?.[1] ?? `exit status ${status}`;
  console.log(
    `advisories: NOT CHECKED, the registry did not answer (${reason.replace(/https?:\/\/\S+/g, '…')})`,
  );
} else {
  const { info = 0, low = 0, moderate = 0, high = 0, critical = 0 } = report.metadata?.vulnerabilities ?? {};
  console.log(`advisories: ${critical} critical, ${high} high, ${moderate} moderate, ${low + info} lower`);
  for (const { name, severity, range } of Object.values(report.vulnerabilities))
    console.log(`  ${severity}  ${name} ${range}`);
  if (high + critical > 0) process.exitCode = 1;
}

function readReport(text) {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
