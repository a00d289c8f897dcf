import type { Hono } from 'hono'
import { safeParse } from 'valibot'
import { id as idSchema } from '../../contract/wire/envelope.ts'
import * as calls from '../../contract/search/search-calls.ts'
import { Pace } from '../../contract/wire/rate-limiter.ts'
import type { AppEnv, Env } from '../env.ts'
import { requirePace } from '../platform/rate-limits/enforce-rate-limit.ts'
import { malformed, notFound } from '../platform/api-error.ts'
import { serve } from '../platform/http/serve-call.ts'
import * as account from './search-account-rows.ts'
import { answerFeedback, answerUndo, CATEGORIES } from './feedback-handlers.ts'
import { answerSearch, noPlan, searchableHomes } from './search-handlers.ts'
import { answerRecommendation } from './suggestion-handlers.ts'

/** Searches of one account: somebody who types and changes filters stays far below. */
const searches = new Pace({ burst: 100, perSecond: 1 })

/** Mounts the calls of the search (CALL-46 to 56). */
export function searchRoutes(app: Hono<AppEnv>): void {
  serve(app, calls.search, ({ env, account: { userId }, input, now }) => {
    requirePace(searches, userId, now)
    return answerSearch(env, userId, input, now)
  })
  serve(app, calls.recommendation, ({ env, account: { userId }, now }) => answerRecommendation(env, userId, now))
  serve(app, calls.searchHistory, async ({ env, account: { userId } }) => ({
    history: await account.historyOf(env.DB, userId),
  }))
  serve(app, calls.deleteSearchHistory, async ({ env, account: { userId }, input }) => ({
    deleted: await account.dropSearches(env.DB, userId, input.delete_all ? null : input.query_ids),
  }))
  serve(app, calls.deleteSearchHistoryEntry, async ({ env, account: { userId }, params }) => {
    const id = safeParse(idSchema, params['query_id'])
    if (!id.success) throw malformed('The id of the search is malformed.')
    const deleted = await account.dropSearches(env.DB, userId, [id.output])
    if (deleted === 0) throw notFound()
    return { deleted }
  })
  serve(app, calls.feedbackCategory, () => ({ categories: [...CATEGORIES] }))
  serve(app, calls.searchFeedback, ({ env, account: { userId }, input, now }) =>
    answerFeedback(env, userId, input, now),
  )
  serve(app, calls.undoSearchFeedback, ({ env, account: { userId }, input }) =>
    answerUndo(env, userId, input.feedback_id),
  )
  onboardingRoutes(app)
}

function onboardingRoutes(app: Hono<AppEnv>): void {
  serve(app, calls.onboardingStatus, ({ env, account: { userId }, now }) => statusOf(env, userId, now))
  serve(app, calls.onboardingRegister, async ({ env, account: { userId }, now }) => {
    if ((await searchableHomes(env, userId, now)).length === 0) throw noPlan()
    await account.enrol(env.DB, userId, now)
    return { status: 1 as const, available: true }
  })
  serve(app, calls.getInstructionState, async ({ env, account: { userId } }) => ({
    state: await account.hintsOf(env.DB, userId),
  }))
  serve(app, calls.setInstructionState, async ({ env, account: { userId }, input }) => ({
    state: await account.addHints(env.DB, userId, input.state),
  }))
}

async function statusOf(env: Env, userId: string, now: number) {
  const [enrolled, homes] = await Promise.all([account.isEnrolled(env.DB, userId), searchableHomes(env, userId, now)])
  return { status: enrolled ? (1 as const) : (2 as const), available: homes.length > 0 }
}
