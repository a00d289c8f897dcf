import { fileURLToPath } from 'node:url'
import { BodyTooLarge } from '../../contract/wire/body-limits.ts'
import { failureReport } from '../../contract/telemetry/sentry-client-options.ts'
import { mask as maskSecrets } from '../../contract/telemetry/mask-secrets.ts'
import type { ErrorReport } from '../../contract/telemetry/telemetry-calls.ts'
import { SoapAuthError } from '../discovery/soap.ts'
import { mask } from '../runtime/log.ts'
import { BRIDGE_VERSION } from '../runtime/version.ts'
import { ProviderError, type ProviderClient } from './provider-client.ts'

/** Reports in an hour. */
const REPORTS = 10
const HOUR_MS = 3_600_000

const ROOT = new URL('../../', import.meta.url)
/** Errors whose messages are ours alone; one of `ProviderError` may repeat what the network said. */
const OURS = [SoapAuthError, BodyTooLarge]
/** The error itself and what caused it. */
const LINKED = 6
/** Addresses of cameras, of machines at home and of their network cards. */
const ADDRESS =
  /[a-z][a-z0-9+.-]{0,20}:\/\/[^\s'")]+|\b\d{1,3}(?:\.\d{1,3}){3}\b|\b[\da-f]{1,4}(?::[\da-f]{0,4}){1,7}:[\da-f]{1,4}\b/gi
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
    this.client.postFailure({ version: BRIDGE_VERSION, report: createErrorReport(task, error) }).catch(() => undefined)
  }
}

/**
 * The report: which error, its code and the frames of this project. What else an error says may name anything of the home (a
 * machine, a folder, a network card), so its message goes along only where we wrote it, and without addresses even then.
 */
export function createErrorReport(task: string, error: unknown): ErrorReport {
  const chain: Error[] = []
  for (let next = error; next instanceof Error && chain.length < LINKED; next = next.cause) chain.push(next)
  const maskedErrors = chain.map(maskError)
  maskedErrors.forEach((maskedError, at) => (maskedError.cause = maskedErrors[at + 1]))
  return maskSecrets(
    failureReport({ from: 'bridge', where: task }, maskedErrors[0] ?? new Error(), Date.now()),
  ) as ErrorReport
}

/** What may be told of one error, as an error without its cause. */
function maskError(error: Error): Error {
  const masked = new Error(isOurs(error) ? withoutHome(error.message) : systemErrorCode(error))
  masked.name = /^\w{1,100}$/.test(error.name) ? error.name : 'Error'
  masked.stack = filterStackFrames(error.stack ?? '')
  return masked
}

const isOurs = (error: Error): boolean => OURS.some((errorClass) => error instanceof errorClass)

/** The code of an error of the system, such as `ENOTFOUND`; '' without one. */
function systemErrorCode(error: Error): string {
  const { code } = error as { code?: unknown }
  return typeof code === 'string' && /^[A-Z][A-Z\d_]{1,60}$/.test(code) ? code : ''
}

const withoutHome = (text: string): string =>
  mask(text).replaceAll(QUOTED_PATH, '$1[path]$1').replaceAll(ADDRESS, '[address]')

/** A head that nobody reads and the frames of this project by their place in it, and those of the runtime. */
function filterStackFrames(stack: string): string {
  const folders = [ROOT.href, fileURLToPath(ROOT)]
  const frames = stack.split('\n').flatMap((line) => {
    if (!/^\s+at /.test(line)) return []
    const own = folders.reduce((text, folder) => text.replaceAll(folder, ''), line)
    return own !== line || /[\s(]node:[\w/]+:\d+:\d+\)?$/.test(line) ? [own] : []
  })
  return ['', ...frames].join('\n')
}
