import type { InferInput, InferOutput } from 'valibot'
import { endSessionsResponse, type endSessionsRequest, sessionsResponse } from '../../contract/auth/user-calls.ts'
import { callEdge, jsonPostInit } from './edge-request.ts'
import type { Result } from './result.ts'

export const SESSIONS_PATH = '/api/auth/sessions'

export const fetchSessions = (): Promise<Result<InferOutput<typeof sessionsResponse>>> =>
  callEdge(SESSIONS_PATH, { headers: { accept: 'application/json' } }, sessionsResponse)

/** Ends one session, or all sessions except the current one. Returns the number of ended sessions. */
export function endSessions(
  request: InferInput<typeof endSessionsRequest>,
): Promise<Result<InferOutput<typeof endSessionsResponse>>> {
  return callEdge(`${SESSIONS_PATH}/end`, jsonPostInit(request), endSessionsResponse)
}
