import { waitUntil } from 'cloudflare:workers'
import * as v from 'valibot'
import type { SignInCredential } from '../../../contract/account/activity.ts'
import { signOutDetails } from '../../../contract/auth/sign-out-details.ts'
import { findAccountByEmail } from '../account-rows.ts'
import type { Env } from '../../env.ts'
import { reportTaskFailure } from '../../telemetry/error-reporting.ts'
import type { ActivityEvent, ClientInfo } from './entry.ts'
import { getHomeLogName, getUserLogName } from './logs.ts'
import { toClientInfo, type BrowserRequest } from './client-info.ts'
import { getObject } from '../../platform/objects.ts'

function runInBackground(env: Env, task: Promise<void>, now: number): void {
  waitUntil(
    task.catch((error: unknown) => {
      console.error(JSON.stringify({ at: 'activity', error: String(error) }))
      reportTaskFailure(env, 'activity', error instanceof Error ? error : new Error(String(error)), now)
    }),
  )
}

/** Records an event of a home. All owners of the home can read the event, so it contains no client info. */
export function recordHomeActivity(env: Env, homeId: string, event: ActivityEvent, now: number): void {
  runInBackground(env, addLogEntry(env, getHomeLogName(homeId), event, null, now), now)
}

/**
 * Records an event of an account, which only that account can read. `browser`: request of the account's browser, if
 * there is one.
 */
export function recordAccountActivity(
  env: Env,
  userId: string,
  kind: ActivityEvent['kind'],
  browser: BrowserRequest | null,
  now: number,
): void {
  const clientInfo = browser && toClientInfo(browser)
  runInBackground(env, addLogEntry(env, getUserLogName(userId), { kind, who: userId }, clientInfo, now), now)
}

/**
 * Records a sign-out that the edge has requested. `header`: value of `SIGN_OUT_HEADER`. If the value is missing or
 * invalid, records a `sign-out` event without details.
 */
export function recordSignOut(env: Env, userId: string, header: string | undefined, now: number): void {
  const parsed = v.safeParse(v.pipe(v.string(), v.parseJson(), signOutDetails), header)
  const { kind, device, address, ended, mark } = parsed.success ? parsed.output : DEFAULT_SIGN_OUT_DETAILS
  const event = { kind, who: userId, value: ended, ...(mark !== undefined && { same: mark }) }
  runInBackground(env, addLogEntry(env, getUserLogName(userId), event, { device, address }, now), now)
}
const DEFAULT_SIGN_OUT_DETAILS: v.InferOutput<typeof signOutDetails> = {
  kind: 'sign-out',
  device: '',
  address: '',
  ended: '',
}

/**
 * Records a failed sign-in with `email`: one entry per network, method (`way`) and hour. Skips unknown emails, which
 * have no log, and attempts that were rejected unchecked under overload (`isBusy`).
 */
export function recordFailedSignIn(
  env: Env,
  { email, way }: { readonly email: string; readonly way: SignInCredential },
  { status, isBusy = false }: { readonly status: number; readonly isBusy?: boolean },
  browser: BrowserRequest,
  now: number,
): void {
  if (isBusy) return
  const clientInfo = toClientInfo(browser)
  const kind = status === 429 ? 'sign-in-limited' : 'sign-in-refused'
  const recordAttempt = async () => {
    const account = await findAccountByEmail(env.DB, email)
    if (account === null) return
    await addLogEntry(
      env,
      getUserLogName(account.userId),
      { kind, who: null, value: way, same: `${clientInfo.address} ${way}` },
      clientInfo,
      now,
    )
  }
  runInBackground(env, recordAttempt(), now)
}

/**
 * Records that an account watched a camera of a home that it does not own, live or in a clip. Adds one entry per
 * viewer, camera and hour.
 */
export function recordGuestView(
  env: Env,
  homeId: string,
  view: { readonly who: string; readonly camera: string; readonly clip?: string },
  now: number,
): void {
  const { who: viewer, camera, clip } = view
  const counts = clip === undefined ? { count: 1 } : { count: 0, clips: 1, part: clip }
  recordHomeActivity(env, homeId, { kind: 'watched', who: viewer, camera, ...counts, same: `${viewer} ${camera}` }, now)
}

async function addLogEntry(
  env: Env,
  log: string,
  event: ActivityEvent,
  clientInfo: ClientInfo | null,
  now: number,
): Promise<void> {
  await getObject(env, 'ACTIVITY', log).add(event, clientInfo, now)
}
