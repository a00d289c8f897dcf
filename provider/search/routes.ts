import type { Hono } from 'hono'
import { safeParse } from 'valibot'
import { id as idSchema } from '../../contract/wire/envelope.ts'
import * as calls from '../../contract/search/search-calls.ts'
import { KeyedRateLimiter } from '../../contract/wire/rate-limiter.ts'
import type { AppEnv, Env } from '../env.ts'
import { enforceRateLimit } from '../platform/rate-limits/enforce-rate-limit.ts'
import { badRequest, notFound } from '../platform/api-error.ts'
import { serveCall } from '../platform/http/serve-call.ts'
import * as account from './search-account-rows.ts'
import { handleFeedback, handleFeedbackUndo, FEEDBACK_CATEGORIES } from './feedback-handlers.ts'
import { readStoredSearch, waitForHistory } from './search-history-writes.ts'
import { handleSearch, noSearchPlanError, readSearchAccess, searchableHomes } from './search-handlers.ts'
import { handleRecommendation } from './suggestion-handlers.ts'

/** Rate limit for searches per account, far above the number of searches that typing and changing filters cause. */
const searchLimiter = new KeyedRateLimiter({ burst: 100, perSecond: 1 })

/** Mounts the search calls (CALL-46 to CALL-56). */
export function searchRoutes(app: Hono<AppEnv>): void {
  serveCall(app, calls.search, ({ env, account: { userId }, input, now }) => {
    enforceRateLimit(searchLimiter, userId, now)
    return handleSearch(env, userId, input, now)
  })
  serveCall(app, calls.recommendation, ({ env, account: { userId }, now }) => handleRecommendation(env, userId, now))
  serveCall(app, calls.searchHistory, async ({ env, account: { userId } }) => {
    await waitForHistory(userId)
    return { history: await account.listHistory(env.DB, userId) }
  })
  serveCall(app, calls.deleteSearchHistory, async ({ env, account: { userId }, input }) => {
    await waitForHistory(userId)
    return { deleted: await account.deleteSearches(env.DB, userId, input.delete_all ? null : input.query_ids) }
  })
  serveCall(app, calls.deleteSearchHistoryEntry, async ({ env, account: { userId }, params }) => {
    const id = safeParse(idSchema, params['query_id'])
    if (!id.success) throw badRequest('The search ID is malformed.')
    const deleteSearch = async () => (await account.deleteSearches(env.DB, userId, [id.output])) || null
    const deleted = await readStoredSearch(userId, deleteSearch)
    if (deleted === null) throw notFound()
    return { deleted }
  })
  serveCall(app, calls.feedbackCategory, () => ({ categories: [...FEEDBACK_CATEGORIES] }))
  serveCall(app, calls.searchFeedback, ({ env, account: { userId }, input, now }) =>
    handleFeedback(env, userId, input, now),
  )
  serveCall(app, calls.undoSearchFeedback, ({ env, account: { userId }, input }) =>
    handleFeedbackUndo(env, userId, input.feedback_id),
  )
  onboardingRoutes(app)
}

function onboardingRoutes(app: Hono<AppEnv>): void {
  serveCall(app, calls.onboardingStatus, ({ env, account: { userId }, now }) => getSearchStatus(env, userId, now))
  serveCall(app, calls.onboardingRegister, async ({ env, account: { userId }, now }) => {
    if ((await searchableHomes(env, userId, now)).length === 0) throw noSearchPlanError()
    await account.enrollSearchAccount(env, userId, now)
    return { status: 1 as const, available: true }
  })
  serveCall(app, calls.getInstructionState, async ({ env, account: { userId } }) => ({
    state: await account.getSeenHints(env.DB, userId),
  }))
  serveCall(app, calls.setInstructionState, async ({ env, account: { userId }, input }) => ({
    state: await account.addSeenHints(env.DB, userId, input.state),
  }))
}

async function getSearchStatus(env: Env, userId: string, now: number) {
  const { homes, isEnrolled } = await readSearchAccess(env, userId, now)
  return { status: isEnrolled ? (1 as const) : (2 as const), available: homes.length > 0 }
}
