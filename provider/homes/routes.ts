import type { Hono } from 'hono'
import { EVENT_TAGS } from '../../contract/events/event-tags.ts'
import { getEventList, eventHistory } from '../../contract/events/events.ts'
import { getEvent, getEventTags, replayArchive, replayLive } from '../../contract/events/event-calls.ts'
import { getHomeDevices, getHomes } from '../../contract/cameras/devices.ts'
import { feedTicket } from '../../contract/events/feed-and-review-calls.ts'
import { cameraStates } from '../../contract/events/timeline.ts'
import { KeyedRateLimiter } from '../../contract/wire/rate-limiter.ts'
import type { AppEnv } from '../env.ts'
import { eventRoutes } from '../events/routes.ts'
import { storageRoutes } from '../events/storage/routes.ts'
import { enforceRateLimit } from '../platform/rate-limits/enforce-rate-limit.ts'
import { serveCall } from '../platform/http/serve-call.ts'
import { handleEvent, handleEventList, handleReplay } from '../events/event-list-handlers.ts'
import { handleDeviceList } from './devices/device-handlers.ts'
import { handleCameraStates } from './devices/camera-states-handler.ts'
import { acceptFeedSocket, issueFeedUrl } from './feed/open-feed.ts'
import { listHomes } from './members/memberships.ts'
import { deviceOwnerRoutes } from './devices/owner-routes.ts'

/** Rate limit of event lists per account: enough for several pages that filter at the same time. */
const eventListRateLimiter = new KeyedRateLimiter({ burst: 120, perSecond: 1 })

export function homeRoutes(app: Hono<AppEnv>): void {
  serveCall(app, getHomes, ({ env, account }) => listHomes(env, account.userId))
  serveCall(app, getHomeDevices, ({ env, account, input, now }) =>
    handleDeviceList(env, account.userId, input.home_id, now),
  )
  serveCall(app, eventHistory, ({ env, account: { userId }, input, now }) => {
    enforceRateLimit(eventListRateLimiter, userId, now)
    return handleEventList(env, userId, input, now)
  })
  serveCall(app, getEventList, ({ env, account: { userId }, input, now }) => {
    enforceRateLimit(eventListRateLimiter, userId, now)
    return handleEventList(env, userId, input, now, true)
  })
  serveCall(app, getEvent, ({ env, account, input, now }) => handleEvent(env, account.userId, input, now))
  serveCall(app, getEventTags, () => [...EVENT_TAGS])
  serveCall(app, replayArchive, ({ env, account, input, now }) => handleReplay(env, account, input, now))
  serveCall(app, replayLive, ({ env, account, input, now }) => handleReplay(env, account, input, now, true))
  serveCall(app, feedTicket, ({ env, account, now }) => issueFeedUrl(env, account.userId, now))
  serveCall(app, cameraStates, ({ env, account, input, now }) => handleCameraStates(env, account.userId, input, now))
  eventRoutes(app)
  storageRoutes(app)
  deviceOwnerRoutes(app)
  app.get('/feed', acceptFeedSocket)
}
