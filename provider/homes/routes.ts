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
import { serveCall, serveCallWithAccess } from '../platform/http/serve-call.ts'
import { handleEvent, handleEventList, handleReplay } from '../events/event-list-handlers.ts'
import { handleDeviceList } from './devices/device-handlers.ts'
import { handleCameraStates } from './devices/camera-states-handler.ts'
import { acceptFeedSocket, issueFeedUrl } from './feed/open-feed.ts'
import { listHomes } from './members/memberships.ts'
import { deviceOwnerRoutes } from './devices/owner-routes.ts'

/** Rate limit of event lists per account: enough for several pages that filter at the same time. */
const eventListRateLimiter = new KeyedRateLimiter({ burst: 120, perSecond: 1 })

export function homeRoutes(app: Hono<AppEnv>): void {
  serveCallWithAccess(app, getHomes, ({ access }) => listHomes(access))
  serveCallWithAccess(app, getHomeDevices, ({ env, access, input, now }) =>
    handleDeviceList(env, access, input.home_id, now),
  )
  serveCallWithAccess(app, eventHistory, ({ env, access, input, now }) => {
    enforceRateLimit(eventListRateLimiter, access.userId, now)
    return handleEventList(env, access, input, now)
  })
  serveCallWithAccess(app, getEventList, ({ env, access, input, now }) => {
    enforceRateLimit(eventListRateLimiter, access.userId, now)
    return handleEventList(env, access, input, now, true)
  })
  serveCallWithAccess(app, getEvent, ({ env, access, input, now }) => handleEvent(env, access, input, now))
  serveCall(app, getEventTags, () => [...EVENT_TAGS])
  serveCallWithAccess(app, replayArchive, ({ env, account, access, input, now }) =>
    handleReplay(env, { account, access }, input, now),
  )
  serveCallWithAccess(app, replayLive, ({ env, account, access, input, now }) =>
    handleReplay(env, { account, access }, input, now, true),
  )
  serveCallWithAccess(app, feedTicket, ({ env, access, now }) => issueFeedUrl(env, access, now))
  serveCallWithAccess(app, cameraStates, ({ env, access, input, now }) => handleCameraStates(env, access, input, now))
  eventRoutes(app)
  storageRoutes(app)
  deviceOwnerRoutes(app)
  app.get('/feed', acceptFeedSocket)
}
