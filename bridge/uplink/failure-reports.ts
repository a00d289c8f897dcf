import { fileURLToPath } from 'node:url'
import { failureReport } from '../../contract/collector.ts'
import { mask as maskSecrets } from '../../contract/mask.ts'
import type { ErrorReport } from '../../contract/telemetry.ts'
import { mask, messageOf } from '../log.ts'
import { BRIDGE_VERSION } from '../version.ts'
import { ProviderError, type ProviderClient } from './provider-client.ts'

/** Reports in an hour. */
const REPORTS = 10
const HOUR_MS = 3_600_000

const ROOT = new URL('../../', import.meta.url)
/** Addresses of cameras, of machines at home and of their network cards. */
const ADDRESS =
  /\b[a-z][a-z0-9+.-]*:\/\/[^\s'")]+|\b\d{1,3}(?:\.\d{1,3}){3}\b|\b[\da-f]{1,4}(?::[\da-f]{0,4})+:[\da-f]{1,4}\b/gi
const QUOTED_PATH = /(['"])(?:\/|[a-z]:\\)[^'"\n]*\1/gi

/** Whether failures are told to this provider: not on this machine or where its name contains `local`, unless `chosen` is 1; never where it is 0. */
export function isReportingTo(provider: string, chosen: string | undefined): boolean {
  if (chosen === '1' || chosen === '0') return chosen === '1'
  const { hostname } = new URL(provider)
  return !hostname.includes('local') && !/^127\.|^\[::1\]$/.test(hostname)
}

/** Tells the provider what the bridge failed at: at most ten times an hour, while nobody waits, and once each. */
export class FailureReports {
  private readonly client: Pick<ProviderClient, 'postFailure'>
  private readonly now: () => number
  /** When the last ones were sent. */
  private sent: number[] = []

  /** `now`: any clock that only goes forward, ms. */
  constructor(client: Pick<ProviderClient, 'postFailure'>, now: () => number = () => performance.now()) {
    this.client = client
    this.now = now
  }

  report(task: string, error: unknown): void {
    // What the provider refused or did not hear it need not be told, least of all by a report of a report.
    if (error instanceof ProviderError) return
    const now = this.now()
    this.sent = this.sent.filter((at) => now - at < HOUR_MS)
    if (this.sent.length >= REPORTS) return
    this.sent.push(now)
    this.client.postFailure({ version: BRIDGE_VERSION, report: reportOf(task, error) }).catch(() => undefined)
  }
}

/** The report, without passwords, addresses or folders of the home. */
export function reportOf(task: string, error: unknown): ErrorReport {
  const { name, stack = '' } = error instanceof Error ? error : new Error()
  const failure = {
    name: name.slice(0, 200),
    message: withoutHome(messageOf(error)).slice(0, 8192),
    stack: framesOf(stack),
  }
  return maskSecrets(failureReport({ from: 'bridge', where: task }, failure, Date.now())) as ErrorReport
}

const withoutHome = (text: string): string =>
  mask(text).replaceAll(QUOTED_PATH, '$1[path]$1').replaceAll(ADDRESS, '[address]')

/** A head that nobody reads and the frames, those of this project by their place in it and others without their folders. */
function framesOf(stack: string): string {
  const folders = [ROOT.href, fileURLToPath(ROOT)]
  const frames = stack
    .split('\n')
    .filter((line) => /^\s+at /.test(line))
    .map((line) => folders.reduce((text, folder) => text.replaceAll(folder, ''), line))
    .map((line) => line.replace(/(?<=[\s(])(?:file:\/\/)?(?:\/|[a-z]:\\)[^()]*[/\\]/i, ''))
  return ['', ...frames].join('\n')
}
