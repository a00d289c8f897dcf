import { createHash } from 'node:crypto'
import * as v from 'valibot'
import { endSessionsRequest, type endSessionsResponse, type sessionsResponse } from '../../contract/auth/user-calls.ts'
import { BODY_BYTES_MAX, readText } from '../../contract/wire/body-limits.ts'
import { restrictNamespace } from '../../contract/jurisdiction.ts'
import { formatBrowserName } from '../../contract/auth/browser-name.ts'
import { toNetworkPrefix, getClientAddress } from '../../contract/wire/client-address.ts'
import { findSession, getSessionNamespace, type SessionAccess } from '../lib/auth/session-access.ts'
import { EdgeError, createSignedOutError } from '../lib/edge-error.ts'
import type { EdgeContext } from '../lib/edge-context.ts'
import { clearSessionCookies } from '../lib/auth/session-cookies.ts'
import { parseJson } from '../lib/parse-json.ts'

/**
 * Returns the public id of a session for its account's list. The public id reveals nothing about the session cookie.
 */
const getPublicSessionId = (id: string): string =>
  createHash('sha256').update(`listed ${id}`).digest('base64url').slice(0, 22)

function getSessionList(c: EdgeContext, userId: string) {
  const lists = restrictNamespace(c.env.SESSION_LISTS, c.var.settings.JURISDICTION)
  return lists.get(lists.idFromName(userId))
}

/** Returns browser, system and network of the request, as the activity log stores them. */
export const readClientInfo = (c: EdgeContext) => ({
  device: formatBrowserName(c.req.header('user-agent') ?? ''),
  address: toNetworkPrefix(getClientAddress(c.req.raw.headers, c.var.settings)),
})

async function addToSessionList(c: EdgeContext, { id, stub, view }: SessionAccess): Promise<void> {
  if (view.isListed) return
  const object = getSessionNamespace(c).idFromName(id).toString()
  const { device } = readClientInfo(c)
  await getSessionList(c, view.userId).add(getPublicSessionId(id), { object, device })
  await stub.markListed()
}

/** Adds the session to its account's list. Only logs a failure, because the next page load retries. */
export async function tryAddToSessionList(c: EdgeContext, access: SessionAccess): Promise<void> {
  await addToSessionList(c, access).catch((error: unknown) => {
    console.error(`Couldn’t add a session to its account’s list: ${error instanceof Error ? error.message : 'unknown'}`)
  })
}

async function requireListedSession(c: EdgeContext): Promise<SessionAccess> {
  const access = await findSession(c)
  if (!access) throw createSignedOutError()
  await addToSessionList(c, access)
  return access
}

const toSeconds = (ms: number): number => Math.floor(ms / 1000)

export async function handleSessionList(c: EdgeContext): Promise<Response> {
  const { id, view } = await requireListedSession(c)
  const listed = await getSessionList(c, view.userId).list()
  const entries = listed.map(({ id: sessionId, device, startedAt, usedAt, endsAt }) => ({
    id: sessionId,
    device,
    started: toSeconds(startedAt),
    last_used: toSeconds(usedAt),
    ends: toSeconds(endsAt),
    current: sessionId === getPublicSessionId(id),
  }))
  const { sessionIdleMs, sessionLifeMs } = c.var.settings
  const durations = { idle: toSeconds(sessionIdleMs), life: toSeconds(sessionLifeMs) }
  return c.json({ code: 200, sessions: entries, ...durations } satisfies v.InferInput<typeof sessionsResponse>)
}

/**
 * `POST /api/auth/sessions/end`: ends one session, or all sessions except the current one. Ending the current session
 * signs this browser out.
 */
export async function handleSessionEnd(c: EdgeContext): Promise<Response> {
  const request = v.safeParse(endSessionsRequest, parseJson(await readText(c.req.raw, BODY_BYTES_MAX.session)))
  if (!request.success) throw new EdgeError(400, 'This request doesn’t specify which sessions to end.')
  const { id, view } = await requireListedSession(c)
  const [list, requester] = [getSessionList(c, view.userId), { id: getPublicSessionId(id), ...readClientInfo(c) }]
  const ended = await ('id' in request.output ? list.end(request.output.id, requester) : list.endOthers(requester))
  if ('id' in request.output && request.output.id === requester.id) clearSessionCookies(c)
  return c.json({ code: 200, ended } satisfies v.InferInput<typeof endSessionsResponse>)
}
