import type { InferInput, InferOutput } from 'valibot'
import { endSessionsAnswer, type endSessionsRequest, sessionsAnswer } from '../../contract/auth/user-calls.ts'
import { callEdge, writing } from './edge-request.ts'
import type { Result } from './result.ts'

export const SESSIONS_PATH = '/api/auth/sessions'

export const fetchSessions = (): Promise<Result<InferOutput<typeof sessionsAnswer>>> =>
  callEdge(SESSIONS_PATH, { headers: { accept: 'application/json' } }, sessionsAnswer)

/** Ends one session, or all others; returns the number of ended sessions. */
export function endSessions(
  request: InferInput<typeof endSessionsRequest>,
): Promise<Result<InferOutput<typeof endSessionsAnswer>>> {
  return callEdge(`${SESSIONS_PATH}/end`, writing(request), endSessionsAnswer)
}
