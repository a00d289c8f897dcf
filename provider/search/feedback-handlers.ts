import { randomBytes } from 'node:crypto'
import type { InferOutput } from 'valibot'
import type { searchFeedback } from '../../contract/search/search-calls.ts'
import type { Env } from '../env.ts'
import type { AccountAccess } from '../homes/members/account-access.ts'
import { homeStub } from '../homes/members/home-stub.ts'
import { queryAllHomes } from '../billing/plans/query-all-homes.ts'
import { badRequest, notFound } from '../platform/api-error.ts'
import { deleteFeedback, storeSearchFeedback, findShownEvents, type DeletedFeedback } from './search-account-rows.ts'
import { readStoredSearch } from './search-history-writes.ts'

/** Categories of search feedback. Never change a released id. */
export const FEEDBACK_CATEGORIES = [
  { id: 'not-what-i-asked', name: 'The clips show something else' },
  { id: 'missing', name: 'A clip I expected is missing' },
  { id: 'order', name: 'The right clips are too far down' },
  { id: 'wrong-person', name: 'Wrong person or animal' },
  { id: 'wrong-moment', name: 'A clip starts at the wrong moment' },
  { id: 'other', name: 'Something else' },
] as const

/**
 * Stores feedback on the results of the account's last search for this query, and replaces earlier feedback on the
 * query. The feedback affects later searches with the same words by all accounts of the homes with results. Throws 404
 * if the account's search history does not contain the query.
 */
export async function handleFeedback(
  env: Env,
  access: AccountAccess,
  input: InferOutput<typeof searchFeedback.request>,
  now: number,
) {
  const { is_search_result_accurate: accurate, feedback_category_id: category_id, feedback_message: message } = input
  if (category_id !== '' && !FEEDBACK_CATEGORIES.some(({ id }) => id === category_id)) {
    throw badRequest('Unknown feedback category.')
  }
  const { userId } = access
  const shownEvents = await readStoredSearch(userId, () => findShownEvents(env.DB, userId, input.query))
  if (shownEvents === null) throw notFound()
  const judgedEvents = shownEvents.filter(([, ids]) => ids.length > 0)
  const feedback_id = `feedback_${randomBytes(12).toString('hex')}`
  const homes = judgedEvents.map(([homeId]) => homeId)
  const feedback = { feedback_id, query: input.query, accurate, category_id, message, homes }
  const replacedFeedback = await storeSearchFeedback(env.DB, userId, feedback, now)
  if (replacedFeedback) await deleteVotes(env, replacedFeedback)
  const vote = { feedbackId: feedback_id, query: input.query, vote: accurate ? (1 as const) : (-1 as const) }
  const ids = new Map(judgedEvents)
  await queryAllHomes(env, access, now, (stub, requester, { home_id }) =>
    stub.putSearchVotes(requester, vote, ids.get(home_id) ?? []),
  )
  return { feedback_id }
}

/**
 * Deletes feedback and its effect on the ranking. Throws 404 if the feedback was already deleted or belongs to another
 * account.
 */
export async function handleFeedbackUndo(env: Env, userId: string, feedbackId: string) {
  const deletedFeedback = await deleteFeedback(env.DB, userId, feedbackId)
  if (deletedFeedback === null) throw notFound()
  await deleteVotes(env, deletedFeedback)
  return {}
}

async function deleteVotes(env: Env, { feedbackId, homes }: DeletedFeedback): Promise<void> {
  await Promise.all(homes.map((homeId) => homeStub(env, homeId).deleteSearchVotes(feedbackId)))
}
