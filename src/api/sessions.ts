import type { InferInput, InferOutput } from 'valibot'
import { endSessionsAnswer, type endSessionsRequest, sessionsAnswer } from '../../contract/auth/user-calls.ts'
import { askEdge, writing } from './edge-request.ts'
import type { Result } from './result.ts'

export const SESSIONS_PATH = '/api/auth/sessions'

/** Where the account is signed in. */
export const askSessions = (): Promise<Result<InferOutput<typeof sessionsAnswer>>> =>
  askEdge(SESSIONS_PATH, { headers: { accept: 'application/json' } }, sessionsAnswer)

/** Ends one session, or all others; answers how many have ended. */
export function endSessions(
  which: InferInput<typeof endSessionsRequest>,
): Promise<Result<InferOutput<typeof endSessionsAnswer>>> {
  return askEdge(`${SESSIONS_PATH}/end`, writing(which), endSessionsAnswer)
}
