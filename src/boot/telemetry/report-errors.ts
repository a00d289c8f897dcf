import { maskUrl } from '../../../contract/telemetry/mask-secrets.ts'
import {
  addBreadcrumb,
  isReportedHost,
  getReportLevel,
  buildErrorReport,
  type Breadcrumb,
} from '../../services/error-reports.ts'
import type { LoggedRequest } from '../../services/logged-fetch.ts'

const ERROR_REPORT_PATH = '/t/errors'
const isActive = isReportedHost(location.hostname)
let breadcrumbs: readonly Breadcrumb[] = []

/** Reports errors that no code of the page handles. Call it once. */
export function reportErrors(): void {
  if (!isActive) return
  addEventListener('error', ({ error }) => report(error as unknown))
  addEventListener('unhandledrejection', ({ reason }) => report(reason as unknown))
}

/** Adds requests to the breadcrumb trail. Reports a request as a warning if `getReportLevel` returns a level for it. */
export function reportFailures(exchanges: readonly LoggedRequest[]): void {
  if (!isActive) return
  for (const { at, method, url, status, requestId } of exchanges) {
    // Masks the URL first, because `maskText` does not recognize a URL after other text.
    const text = `${method} ${maskUrl(url)} ${status}`
    breadcrumbs = addBreadcrumb(breadcrumbs, { at, text })
    if (getReportLevel(url, status)) report(new Error(text), 'warning', requestId)
  }
}

function report(error: unknown, level: 'error' | 'warning' = 'error', requestId?: string): void {
  const build = String(import.meta.env.BUILD_ID)
  const body = buildErrorReport(
    error,
    { at: Date.now(), page: location.href, trail: breadcrumbs, requestId, build },
    level,
  )
  if (body) navigator.sendBeacon(ERROR_REPORT_PATH, JSON.stringify(body))
}
