import type { Hono } from 'hono'
import { Pace } from '../../../contract/wire/rate-limiter.ts'
import * as calls from '../../../contract/account/data-export.ts'
import type { AppEnv } from '../../env.ts'
import { requirePace } from '../../platform/rate-limits/enforce-rate-limit.ts'
import { serve } from '../../platform/http/serve-call.ts'
import { answerAddress, answerSize, answerTake } from './export-handlers.ts'

/** It counts all that a home has: as often as somebody opens the page. */
const sizes = new Pace({ burst: 20, perSecond: 0.5 })

/** Each one lists thousands of events, and is kept for a day. */
const archives = new Pace({ burst: 20, perSecond: 0.05 })

/** Mounts taking away everything that an account owns. */
export function takeRoutes(app: Hono<AppEnv>): void {
  serve(app, calls.getTake, ({ env, account: { userId }, now }) => {
    requirePace(sizes, userId, now)
    return answerSize(env, userId, now)
  })
  serve(app, calls.takeEverything, ({ env, account, input, now }) => {
    requirePace(archives, account.userId, now)
    return answerTake(env, account, input, now)
  })
  serve(app, calls.takeAddress, ({ env, account, input, now }) => answerAddress(env, account, input.take_id, now))
}
