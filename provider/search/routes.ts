import type { Hono } from 'hono'
import { safeParse } from 'valibot'
import { id as idSchema } from '../../contract/wire/envelope.ts'
import * as calls from '../../contract/search/search-calls.ts'
import { KeyedRateLimiter } from '../../contract/wire/rate-limiter.ts'
import type { AppEnv, Env } from '../env.ts'
import type { AccountAccess } from '../homes/members/account-access.ts'
import { enforceRateLimit } from '../platform/rate-limits/enforce-rate-limit.ts'
import { badRequest, notFound } from '../platform/api-error.ts'
import { serveCall, serveCallWithAccess } from '../platform/http/serve-call.ts'
import * as account from './search-account-rows.ts'
import { handleFeedback, handleFeedbackUndo, FEEDBACK_CATEGORIES } from './feedback-handlers.ts'
import { readStoredSearch, waitForHistory } from './search-history-writes.ts'
import { handleSearch, listSearchableHomes, noSearchPlanError } from './search-handlers.ts'
import { handleRecommendation } from './suggestion-handlers.ts'

/** Rate limit for searches per account, far above the number of searches that typing and changing filters cause. */
const searchLimiter = new KeyedRateLimiter({ burst: 100, perSecond: 1 })

/** Mounts the search calls (CALL-46 to CALL-56). */
export function searchRoutes(app: Hono<AppEnv>): void {
  serveCallWithAccess(app, calls.search, ({ env, access, input, now }) => {
    enforceRateLimit(searchLimiter, access.userId, now)
    return handleSearch(env, access, input, now)
  })
  serveCallWithAccess(app, calls.recommendation, ({ env, access, now }) => handleRecommendation(env, access, now))
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
  serveCallWithAccess(app, calls.searchFeedback, ({ env, access, input, now }) =>
    handleFeedback(env, access, input, now),
  )
  serveCall(app, calls.undoSearchFeedback, ({ env, account: { userId }, input }) =>
    handleFeedbackUndo(env, userId, input.feedback_id),
  )
  onboardingRoutes(app)
}

function onboardingRoutes(app: Hono<AppEnv>): void {
  serveCallWithAccess(app, calls.onboardingStatus, ({ env, access, now }) => getSearchStatus(env, access, now))
  serveCallWithAccess(app, calls.onboardingRegister, async ({ env, access, now }) => {
    if (listSearchableHomes(env, access, now).length === 0) throw noSearchPlanError()
    await account.enrollSearchAccount(env, access.userId, now)
    return { status: 1 as const, available: true }
  })
  serveCall(app, calls.getInstructionState, async ({ env, account: { userId } }) => ({
    state: await account.getSeenHints(env.DB, userId),
  }))
  serveCall(app, calls.setInstructionState, async ({ env, account: { userId }, input }) => ({
    state: await account.addSeenHints(env.DB, userId, input.state),
  }))
}

const getSearchStatus = (env: Env, access: AccountAccess, now: number) => ({
  status: access.isEnrolledInSearch ? (1 as const) : (2 as const),
  available: listSearchableHomes(env, access, now).length > 0,
})
