import type { BrowserContext, ConsoleMessage, Request } from 'playwright/test'

/**
 * Problem that a page reports: a console error, an exception, a policy violation, an error response, or a request
 * without a response.
 */
export interface PageProblem {
  readonly kind: 'page error' | 'policy' | 'response' | 'network' | 'console'
  /** Status of a response that the browser reports as an error. */
  readonly status?: number
  /** Path of the request; empty if the report names no URL. */
  readonly path: string
  readonly text: string
}

/**
 * Pattern for problems that a test provokes: error responses by status and path, lost requests by error text and path,
 * or console messages by text.
 */
export type ExpectedProblem =
  | { readonly status: number | readonly number[]; readonly path: RegExp }
  | { readonly network: RegExp; readonly path?: RegExp }
  | { readonly console: RegExp }

/** The 401 of the current-user call for a signed-out visitor, which the browser reports as an error. */
export const SIGNED_OUT_401: ExpectedProblem = { status: 401, path: /^\/api\/auth\/me$/ }

/**
 * Returns true if a problem rules out a retry: an exception, a policy violation, or a response with a status of 500 or
 * above. The caller must remove the problems that the test provokes.
 */
export const isFatal = ({ kind, status = 0 }: PageProblem): boolean =>
  kind === 'page error' || kind === 'policy' || status >= 500

export const describeProblem = ({ kind, status, path, text }: PageProblem): string =>
  [kind, status, path, text].filter((part) => part !== undefined && part !== '').join(' ')

const ignoredPatternsByProblems = new WeakMap<PageProblem[], readonly ExpectedProblem[]>()

/** Removes all problems reported so far that match a pattern in `provoked`. */
export function removeExpectedProblems(problems: PageProblem[], ...provoked: readonly ExpectedProblem[]): void {
  const remaining = problems.filter((problem) => !provoked.some((rule) => matchesPattern(problem, rule)))
  problems.splice(0, problems.length, ...remaining)
}

/** Removes expected problems now and when the test ends, because open pages continue to retry. */
export function ignoreProblemsUntilEnd(problems: PageProblem[], ...provoked: readonly ExpectedProblem[]): void {
  removeExpectedProblems(problems, ...provoked)
  ignoredPatternsByProblems.set(problems, [...(ignoredPatternsByProblems.get(problems) ?? []), ...provoked])
}

export const removeIgnoredProblems = (problems: PageProblem[]): void =>
  removeExpectedProblems(problems, ...(ignoredPatternsByProblems.get(problems) ?? []))

function matchesPattern(problem: PageProblem, rule: ExpectedProblem): boolean {
  if ('status' in rule)
    return (
      problem.kind === 'response' && [rule.status].flat().includes(problem.status ?? 0) && rule.path.test(problem.path)
    )
  if ('network' in rule)
    return problem.kind === 'network' && rule.network.test(problem.text) && (rule.path?.test(problem.path) ?? true)
  return problem.kind === 'console' && rule.console.test(problem.text)
}

export function watchProblems(context: BrowserContext, origin: string, problems: PageProblem[]): void {
  context.on('console', (message) => message.type() === 'error' && problems.push(parseProblem(message)))
  context.on('weberror', (event) => {
    const error = event.error()
    if (!isEndedTransition(error)) problems.push({ kind: 'page error', path: '', text: error.stack ?? error.message })
  })
  context.on('requestfailed', (request) => {
    const problem = findFailure(request, origin)
    if (problem) problems.push(problem)
  })
}

function parseProblem(message: ConsoleMessage): PageProblem {
  const text = message.text()
  const path = parsePath(message.location().url)
  const status = /^Failed to load resource: the server responded with a status of (\d+)/.exec(text)?.[1]
  if (status !== undefined) return { kind: 'response', status: Number(status), path, text }
  if (/^Failed to load resource: net::/.test(text)) return { kind: 'network', path, text }
  const socket = /^WebSocket connection to '([^']+)' failed/.exec(text)?.[1]
  if (socket !== undefined) return { kind: 'network', path: parsePath(socket), text }
  return { kind: /Content Security Policy|Permissions.Policy/.test(text) ? 'policy' : 'console', path, text }
}

/**
 * Returns the problem for a failed request to the portal; null for requests to other origins and for requests that a
 * navigation aborted.
 */
function findFailure(request: Request, origin: string): PageProblem | null {
  const text = request.failure()?.errorText ?? ''
  if (!request.url().startsWith(origin) || text === 'net::ERR_ABORTED') return null
  return { kind: 'network', path: parsePath(request.url()), text }
}

const parsePath = (url: string): string => (URL.canParse(url) ? new URL(url).pathname : '')

/** Returns true for Chromium's error about a view transition that another navigation or a window resize has ended. */
const isEndedTransition = ({ name, message }: Error) =>
  ['AbortError', 'InvalidStateError'].includes(name) && /^Transition was (skipped|aborted)/.test(message)
