import { DurableObject } from 'cloudflare:workers'
import type { WebSocket as WorkerSocket } from '@cloudflare/workers-types'
import { CLOSE_NO_ACCESS } from '../../contract/wire/socket-close-codes.ts'
import { FEED_LIMITS, SocketRateLimiter } from '../platform/sockets/socket-rate-limits.ts'
import { FLOODING_MESSAGE, rejectSocket, readVerifiedData } from '../platform/sockets/websocket-upgrade.ts'
import type { Env } from '../env.ts'
import type { HomeContext } from './feed/home-context.ts'
import type { VerifiedFeedRequest } from './feed/open-feed.ts'
import { HomePeopleDirectory } from '../people/home-people.ts'
import { openHome } from './open-home.ts'
import { HomeMembers } from './home-members.ts'
import { HomeDevices } from './devices/home-devices.ts'
import { HomeEventQueries } from '../events/home-event-queries.ts'
import { HomeIngest } from '../events/home-ingest.ts'
import { HomeEventActions } from '../events/home-event-actions.ts'
import { HomeClipExports } from '../events/export/home-clip-exports.ts'
import { HomeDataExport } from '../events/export/home-data-export.ts'
import { HomeRetention } from '../events/retention/home-retention.ts'
import { HomeStorageSettings } from '../events/storage/home-storage.ts'
import { HomeSearch } from '../search/home-search.ts'
import { HomePlanSimulator } from '../billing/plan-simulation/home-plan-simulation.ts'

/** Parameters of a method that `Home` delegates to one of its parts. The method of the part has the documentation. */
type PartParameters<Part, Method extends keyof Part> = Part[Method] extends (...args: infer A) => unknown ? A : never

/**
 * One home: members, cameras, events and feed sockets. The Worker and other Durable Objects call its methods, which
 * delegate to its parts. A query for an account without access returns null or an empty result.
 */
export class Home extends DurableObject<Env> {
  readonly #rateLimiter = new SocketRateLimiter()
  readonly #home = openHome(this.ctx, this.env)
  readonly #homeRetention = new HomeRetention(this.#home)
  readonly #members = new HomeMembers(this.#home)
  readonly #cameras = new HomeDevices(this.#home)
  readonly #eventQueries = new HomeEventQueries(this.#home)
  readonly #ingest = new HomeIngest(this.#home, this.#homeRetention)
  readonly #eventActions = new HomeEventActions(this.#home, this.#homeRetention)
  readonly #clipExports = new HomeClipExports(this.#home, this.#homeRetention)
  readonly #dataExport = new HomeDataExport(this.#home)
  readonly #storage = new HomeStorageSettings(this.#home, this.#homeRetention)
  readonly #homeSearch = new HomeSearch(this.#home)
  readonly #peopleDirectory = new HomePeopleDirectory(this.#home)
  readonly #planSimulator = new HomePlanSimulator(this.#home)

  putMember(...args: PartParameters<HomeMembers, 'putMember'>) {
    return this.#members.putMember(...args)
  }
  share(...args: PartParameters<HomeMembers, 'share'>) {
    return this.#members.share(...args)
  }
  unshare(...args: PartParameters<HomeMembers, 'unshare'>) {
    return this.#members.unshare(...args)
  }
  setFeedHome(...args: PartParameters<HomeMembers, 'setFeedHome'>) {
    return this.#members.setFeedHome(...args)
  }
  deleteAccountData(...args: PartParameters<HomeMembers, 'deleteAccountData'>) {
    this.#members.deleteAccountData(...args)
  }
  /** Closes the feed sockets and deletes the stored data of the home. The caller deletes the clips and thumbnails. */
  async deleteHome(): Promise<void> {
    for (const socket of this.ctx.getWebSockets()) socket.close(CLOSE_NO_ACCESS, 'This home was deleted.')
    await this.ctx.storage.deleteAlarm()
    await this.ctx.storage.deleteAll()
  }
  signOut(...args: PartParameters<HomeMembers, 'signOut'>) {
    return this.#members.signOut(...args)
  }
  notifyPlanChange() {
    return this.#homeRetention.applyPlanChange(Date.now())
  }
  hasPassivePages() {
    return this.#home.feed.hasPassivePages()
  }
  hasOpenFeed(...args: PartParameters<HomeContext['feed'], 'isOpen'>) {
    return this.#home.feed.isOpen(...args)
  }
  forward(...args: PartParameters<HomeContext['feed'], 'forward'>) {
    this.#home.feed.forward(...args)
  }

  devices(...args: PartParameters<HomeDevices, 'list'>) {
    return this.#cameras.list(...args)
  }
  cameraIds(...args: PartParameters<HomeDevices, 'listIds'>) {
    return this.#cameras.listIds(...args)
  }
  cameraNames(...args: PartParameters<HomeDevices, 'listNames'>) {
    return this.#cameras.listNames(...args)
  }
  streams(...args: PartParameters<HomeDevices, 'listStreams'>) {
    return this.#cameras.listStreams(...args)
  }
  putDevice(...args: PartParameters<HomeDevices, 'put'>) {
    return this.#cameras.put(...args)
  }
  setCameraState(...args: PartParameters<HomeDevices, 'setState'>) {
    return this.#cameras.setState(...args)
  }
  moveStateStart(...args: PartParameters<HomeDevices, 'moveStateStart'>) {
    this.#cameras.moveStateStart(...args)
  }
  stateRuns(...args: PartParameters<HomeDevices, 'listStateRuns'>) {
    return this.#cameras.listStateRuns(...args)
  }
  setLastPicture(...args: PartParameters<HomeDevices, 'setLastPicture'>) {
    return this.#cameras.setLastPicture(...args)
  }
  bridgeCameras(...args: PartParameters<HomeDevices, 'listBridgeCameras'>) {
    return this.#cameras.listBridgeCameras(...args)
  }
  setPower(...args: PartParameters<HomeDevices, 'setPower'>) {
    return this.#cameras.setPower(...args)
  }
  setRendition(...args: PartParameters<HomeDevices, 'setRendition'>) {
    return this.#cameras.setRendition(...args)
  }
  swapLenses(...args: PartParameters<HomeDevices, 'swapLenses'>) {
    return this.#cameras.swapLenses(...args)
  }
  cameraSettings(...args: PartParameters<HomeDevices, 'readSettings'>) {
    return this.#cameras.readSettings(...args)
  }
  setCameraSettings(...args: PartParameters<HomeDevices, 'setSettings'>) {
    return this.#cameras.setSettings(...args)
  }
  cameraAreas(...args: PartParameters<HomeDevices, 'readAreas'>) {
    return this.#cameras.readAreas(...args)
  }
  setCameraAreas(...args: PartParameters<HomeDevices, 'setAreas'>) {
    return this.#cameras.setAreas(...args)
  }
  renameCamera(...args: PartParameters<HomeDevices, 'rename'>) {
    return this.#cameras.rename(...args)
  }
  orderCameras(...args: PartParameters<HomeDevices, 'order'>) {
    return this.#cameras.order(...args)
  }
  /** Removes a camera from the list. `endsShares`: true to also end all shares of the camera. */
  removeDevice(deviceId: string, endsShares: boolean, now: number): void {
    this.#cameras.remove(deviceId, now)
    if (endsShares) this.#members.unshareAll(deviceId)
  }

  eventList(...args: PartParameters<HomeEventQueries, 'list'>) {
    return this.#eventQueries.list(...args)
  }
  event(...args: PartParameters<HomeEventQueries, 'findEvent'>) {
    return this.#eventQueries.findEvent(...args)
  }
  eventsByIds(...args: PartParameters<HomeEventQueries, 'listEventsByIds'>) {
    return this.#eventQueries.listEventsByIds(...args)
  }
  anomalies(...args: PartParameters<HomeEventQueries, 'judgeAnomalies'>) {
    return this.#eventQueries.judgeAnomalies(...args)
  }
  clip(...args: PartParameters<HomeEventQueries, 'findClipEventId'>) {
    return this.#eventQueries.findClipEventId(...args)
  }
  getDetections(...args: PartParameters<HomeEventQueries, 'findDetections'>) {
    return this.#eventQueries.findDetections(...args)
  }
  findUploadingClip(...args: PartParameters<HomeEventQueries, 'findUploadingClip'>) {
    return this.#eventQueries.findUploadingClip(...args)
  }
  clipState(...args: PartParameters<HomeEventQueries, 'findClipState'>) {
    return this.#eventQueries.findClipState(...args)
  }
  mediaObject(...args: PartParameters<HomeEventQueries, 'findMediaObject'>) {
    return this.#eventQueries.findMediaObject(...args)
  }
  timeline(...args: PartParameters<HomeEventQueries, 'buildTimeline'>) {
    return this.#eventQueries.buildTimeline(...args)
  }

  addEvent(...args: PartParameters<HomeIngest, 'addEvent'>) {
    return this.#ingest.addEvent(...args)
  }
  addClip(...args: PartParameters<HomeIngest, 'addClip'>) {
    return this.#ingest.addClip(...args)
  }
  addMoments(...args: PartParameters<HomeIngest, 'addMoments'>) {
    return this.#ingest.addMoments(...args)
  }
  reserveObjects(...args: PartParameters<HomeIngest, 'reserveObjects'>) {
    return this.#ingest.reserveObjects(...args)
  }
  addHistory(...args: PartParameters<HomeIngest, 'addHistory'>) {
    return this.#ingest.addHistory(...args)
  }
  recordGaps(...args: PartParameters<HomeIngest, 'recordGaps'>) {
    this.#ingest.recordGaps(...args)
  }

  review(...args: PartParameters<HomeEventActions, 'review'>) {
    return this.#eventActions.review(...args)
  }
  deleteEvents(...args: PartParameters<HomeEventActions, 'deleteEvents'>) {
    return this.#eventActions.deleteEvents(...args)
  }
  restoreEvents(...args: PartParameters<HomeEventActions, 'restoreEvents'>) {
    return this.#eventActions.restoreEvents(...args)
  }
  putFeedback(...args: PartParameters<HomeEventActions, 'putFeedback'>) {
    return this.#eventActions.putFeedback(...args)
  }
  putFeedbackVideo(...args: PartParameters<HomeEventActions, 'putFeedbackVideo'>) {
    return this.#eventActions.putFeedbackVideo(...args)
  }

  exportClips(...args: PartParameters<HomeClipExports, 'listClips'>) {
    return this.#clipExports.listClips(...args)
  }
  recordClipChecksums(...args: PartParameters<HomeClipExports, 'recordClipChecksums'>) {
    return this.#clipExports.recordClipChecksums(...args)
  }
  putExport(...args: PartParameters<HomeClipExports, 'put'>) {
    return this.#clipExports.put(...args)
  }
  readExport(...args: PartParameters<HomeClipExports, 'read'>) {
    return this.#clipExports.read(...args)
  }
  countExportData(...args: PartParameters<HomeDataExport, 'count'>) {
    return this.#dataExport.count(...args)
  }
  listExportEvents(...args: PartParameters<HomeDataExport, 'listEvents'>) {
    return this.#dataExport.listEvents(...args)
  }

  readRetentionLog(...args: PartParameters<HomeRetention, 'readLog'>) {
    return this.#homeRetention.readLog(...args)
  }
  runRetentionStep(...args: PartParameters<HomeRetention, 'runRetentionStep'>) {
    return this.#homeRetention.runRetentionStep(...args)
  }

  readStorage(...args: PartParameters<HomeStorageSettings, 'read'>) {
    return this.#storage.read(...args)
  }
  listStorageLimits(...args: PartParameters<HomeStorageSettings, 'listLimits'>) {
    return this.#storage.listLimits(...args)
  }
  previewStorageLimits(...args: PartParameters<HomeStorageSettings, 'previewLimits'>) {
    return this.#storage.previewLimits(...args)
  }
  setStorageLimits(...args: PartParameters<HomeStorageSettings, 'setLimits'>) {
    return this.#storage.setLimits(...args)
  }

  search(...args: PartParameters<HomeSearch, 'search'>) {
    return this.#homeSearch.search(...args)
  }
  putSearchVotes(...args: PartParameters<HomeSearch, 'putVotes'>) {
    return this.#homeSearch.putVotes(...args)
  }
  deleteSearchVotes(...args: PartParameters<HomeSearch, 'deleteVotes'>) {
    return this.#homeSearch.deleteVotes(...args)
  }
  suggest(...args: PartParameters<HomeSearch, 'suggest'>) {
    return this.#homeSearch.suggest(...args)
  }

  listSeenPeople(...args: PartParameters<HomePeopleDirectory, 'listSeenPeople'>) {
    return this.#peopleDirectory.listSeenPeople(...args)
  }
  people(...args: PartParameters<HomePeopleDirectory, 'list'>) {
    return this.#peopleDirectory.list(...args)
  }
  changePeople(...args: PartParameters<HomePeopleDirectory, 'change'>) {
    return this.#peopleDirectory.change(...args)
  }
  deletePeople(...args: PartParameters<HomePeopleDirectory, 'deletePeople'>) {
    return this.#peopleDirectory.deletePeople(...args)
  }
  simulatePlans(...args: PartParameters<HomePlanSimulator, 'simulatePlans'>) {
    return this.#planSimulator.simulatePlans(...args)
  }

  /** Opens a feed socket; the Worker has checked origin and ticket. */
  fetch(request: Request): Response {
    const verified = readVerifiedData<VerifiedFeedRequest>(request)
    if (this.#rateLimiter.isBlocked(verified.user, Date.now())) return rejectSocket(429, FLOODING_MESSAGE)
    return this.#members.openFeed(verified, Date.now())
  }

  /** Handles a message from a page. Closes a socket that exceeds the rate limit. */
  async webSocketMessage(socket: WorkerSocket, data: string | ArrayBuffer): Promise<void> {
    if (this.#rateLimiter.allows(socket, data, FEED_LIMITS, Date.now(), this.ctx.getTags(socket)[0]))
      await this.#home.bridgeChecks.handleFeedMessage(socket, data)
  }

  webSocketClose(socket: WorkerSocket): void {
    socket.close()
  }

  async alarm(): Promise<void> {
    await this.#homeRetention.alarm(Date.now())
  }
}
