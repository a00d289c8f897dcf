import { DurableObject } from 'cloudflare:workers'
import type { WebSocket as WorkerSocket } from '@cloudflare/workers-types'
import { NO_ACCESS } from '../../contract/wire/socket-close-codes.ts'
import { OF_FEED, SocketRateLimiter } from '../platform/sockets/socket-rate-limits.ts'
import type { Ticket } from '../platform/tickets/tickets.ts'
import { FLOODER, refusedSocket, readVerified } from '../platform/sockets/websocket-upgrade.ts'
import type { Env } from '../env.ts'
import type { HomeContext } from './feed/home-context.ts'
import { HomePeopleDirectory } from '../people/home-people.ts'
import { openHome } from './open-home.ts'
import { HomeMembers } from './home-members.ts'
import { HomeDevices } from './devices/home-devices.ts'
import { HomePast } from '../events/home-event-queries.ts'
import { HomeIntake } from '../events/home-ingest.ts'
import { HomeChanges } from '../events/home-event-actions.ts'
import { HomeExports } from '../events/export/home-clip-exports.ts'
import { HomeDataExport } from '../events/export/home-data-export.ts'
import { HomeUpkeep } from '../events/retention/home-retention.ts'
import { HomeSearch } from '../search/home-search.ts'
import { HomePlanSimulator } from '../billing/plan-simulation/home-plan-simulation.ts'

/** Parameters of a part's method; the part documents signature, units and result. */
type PartParameters<Part, Method extends keyof Part> = Part[Method] extends (...args: infer A) => unknown ? A : never

/**
 * One home: members, cameras, events and feed sockets. Its parts do the work; the methods here are called by Workers
 * and other Durable Objects. Account queries return null or an empty result without access.
 */
export class Home extends DurableObject<Env> {
  private readonly budgets = new SocketRateLimiter()
  private readonly home = openHome(this.ctx, this.env)
  private readonly upkeep = new HomeUpkeep(this.home)
  private readonly members = new HomeMembers(this.home)
  private readonly cameras = new HomeDevices(this.home)
  private readonly past = new HomePast(this.home)
  private readonly intake = new HomeIntake(this.home, this.upkeep)
  private readonly changes = new HomeChanges(this.home, this.upkeep)
  private readonly exports = new HomeExports(this.home, this.upkeep)
  private readonly taking = new HomeDataExport(this.home)
  private readonly finder = new HomeSearch(this.home)
  private readonly known = new HomePeopleDirectory(this.home)
  private readonly teller = new HomePlanSimulator(this.home)

  putMember(...args: PartParameters<HomeMembers, 'putMember'>) {
    return this.members.putMember(...args)
  }
  dropMember(...args: PartParameters<HomeMembers, 'dropMember'>) {
    return this.members.dropMember(...args)
  }
  share(...args: PartParameters<HomeMembers, 'share'>) {
    return this.members.share(...args)
  }
  unshare(...args: PartParameters<HomeMembers, 'unshare'>) {
    return this.members.unshare(...args)
  }
  setFeedHome(...args: PartParameters<HomeMembers, 'setFeedHome'>) {
    return this.members.setFeedHome(...args)
  }
  deleteAccountData(...args: PartParameters<HomeMembers, 'deleteAccountData'>) {
    this.members.deleteAccountData(...args)
  }
  /** Deletes the home and its stored data. The caller deletes the home's clips and thumbnails. */
  async end(): Promise<void> {
    for (const socket of this.ctx.getWebSockets()) socket.close(NO_ACCESS, 'This home is gone.')
    await this.ctx.storage.deleteAlarm()
    await this.ctx.storage.deleteAll()
  }
  signOut(...args: PartParameters<HomeMembers, 'signOut'>) {
    return this.members.signOut(...args)
  }
  /** Notifies open pages of changed entitlements. */
  plansChanged() {
    this.home.feed.push({ type: 'access' })
  }
  /** Forwards a message of another home to the account's open pages. */
  forward(...args: PartParameters<HomeContext['feed'], 'forward'>) {
    this.home.feed.forward(...args)
  }

  devices(...args: PartParameters<HomeDevices, 'list'>) {
    return this.cameras.list(...args)
  }
  cameraIds(...args: PartParameters<HomeDevices, 'ids'>) {
    return this.cameras.ids(...args)
  }
  cameraNames(...args: PartParameters<HomeDevices, 'names'>) {
    return this.cameras.names(...args)
  }
  streams(...args: PartParameters<HomeDevices, 'streams'>) {
    return this.cameras.streams(...args)
  }
  putDevice(...args: PartParameters<HomeDevices, 'put'>) {
    return this.cameras.put(...args)
  }
  setCameraState(...args: PartParameters<HomeDevices, 'setState'>) {
    return this.cameras.setState(...args)
  }
  stateRuns(...args: PartParameters<HomeDevices, 'stateRuns'>) {
    return this.cameras.stateRuns(...args)
  }
  setLastPicture(...args: PartParameters<HomeDevices, 'setLastPicture'>) {
    return this.cameras.setLastPicture(...args)
  }
  bridgeCameras(...args: PartParameters<HomeDevices, 'ofBridge'>) {
    return this.cameras.ofBridge(...args)
  }
  setPower(...args: PartParameters<HomeDevices, 'setPower'>) {
    return this.cameras.setPower(...args)
  }
  setRendition(...args: PartParameters<HomeDevices, 'setRendition'>) {
    return this.cameras.setRendition(...args)
  }
  exchangePip(...args: PartParameters<HomeDevices, 'exchangePip'>) {
    return this.cameras.exchangePip(...args)
  }
  cameraSettings(...args: PartParameters<HomeDevices, 'settings'>) {
    return this.cameras.settings(...args)
  }
  setCameraSettings(...args: PartParameters<HomeDevices, 'setSettings'>) {
    return this.cameras.setSettings(...args)
  }
  cameraPlaces(...args: PartParameters<HomeDevices, 'places'>) {
    return this.cameras.places(...args)
  }
  setCameraPlaces(...args: PartParameters<HomeDevices, 'setPlaces'>) {
    return this.cameras.setPlaces(...args)
  }
  renameCamera(...args: PartParameters<HomeDevices, 'rename'>) {
    return this.cameras.rename(...args)
  }
  orderCameras(...args: PartParameters<HomeDevices, 'order'>) {
    return this.cameras.order(...args)
  }
  /** Removes a camera from the list; with `forGood` its shares end too. */
  removeDevice(deviceId: string, forGood: boolean, now: number): void {
    this.cameras.remove(deviceId, now)
    if (forGood) this.members.unshareAll(deviceId)
  }

  eventList(...args: PartParameters<HomePast, 'list'>) {
    return this.past.list(...args)
  }
  event(...args: PartParameters<HomePast, 'event'>) {
    return this.past.event(...args)
  }
  eventsByIds(...args: PartParameters<HomePast, 'byIds'>) {
    return this.past.byIds(...args)
  }
  anomalies(...args: PartParameters<HomePast, 'anomalies'>) {
    return this.past.anomalies(...args)
  }
  clip(...args: PartParameters<HomePast, 'clip'>) {
    return this.past.clip(...args)
  }
  found(...args: PartParameters<HomePast, 'found'>) {
    return this.past.found(...args)
  }
  comingClip(...args: PartParameters<HomePast, 'comingClip'>) {
    return this.past.comingClip(...args)
  }
  clipState(...args: PartParameters<HomePast, 'clipState'>) {
    return this.past.clipState(...args)
  }
  mediaObject(...args: PartParameters<HomePast, 'mediaObject'>) {
    return this.past.mediaObject(...args)
  }
  timeline(...args: PartParameters<HomePast, 'timeline'>) {
    return this.past.timeline(...args)
  }

  addEvent(...args: PartParameters<HomeIntake, 'addEvent'>) {
    return this.intake.addEvent(...args)
  }
  addClip(...args: PartParameters<HomeIntake, 'addClip'>) {
    return this.intake.addClip(...args)
  }
  addMoments(...args: PartParameters<HomeIntake, 'addMoments'>) {
    return this.intake.addMoments(...args)
  }
  reserveObjects(...args: PartParameters<HomeIntake, 'reserveObjects'>) {
    return this.intake.reserveObjects(...args)
  }
  addHistory(...args: PartParameters<HomeIntake, 'addHistory'>) {
    return this.intake.addHistory(...args)
  }
  recordGaps(...args: PartParameters<HomeIntake, 'recordGaps'>) {
    this.intake.recordGaps(...args)
  }

  review(...args: PartParameters<HomeChanges, 'review'>) {
    return this.changes.review(...args)
  }
  deleteEvents(...args: PartParameters<HomeChanges, 'deleteEvents'>) {
    return this.changes.deleteEvents(...args)
  }
  restoreEvents(...args: PartParameters<HomeChanges, 'restoreEvents'>) {
    return this.changes.restoreEvents(...args)
  }
  putFeedback(...args: PartParameters<HomeChanges, 'putFeedback'>) {
    return this.changes.putFeedback(...args)
  }
  putFeedbackVideo(...args: PartParameters<HomeChanges, 'putFeedbackVideo'>) {
    return this.changes.putFeedbackVideo(...args)
  }

  exportClips(...args: PartParameters<HomeExports, 'clips'>) {
    return this.exports.clips(...args)
  }
  recordClipFacts(...args: PartParameters<HomeExports, 'recordClipFacts'>) {
    return this.exports.recordClipFacts(...args)
  }
  putExport(...args: PartParameters<HomeExports, 'put'>) {
    return this.exports.put(...args)
  }
  export(...args: PartParameters<HomeExports, 'read'>) {
    return this.exports.read(...args)
  }
  countExportData(...args: PartParameters<HomeDataExport, 'count'>) {
    return this.taking.count(...args)
  }
  listExportEvents(...args: PartParameters<HomeDataExport, 'events'>) {
    return this.taking.events(...args)
  }

  retention(...args: PartParameters<HomeUpkeep, 'log'>) {
    return this.upkeep.log(...args)
  }
  runRetentionStep(...args: PartParameters<HomeUpkeep, 'runRetentionStep'>) {
    return this.upkeep.runRetentionStep(...args)
  }

  search(...args: PartParameters<HomeSearch, 'search'>) {
    return this.finder.search(...args)
  }
  putSearchVotes(...args: PartParameters<HomeSearch, 'putVotes'>) {
    return this.finder.putVotes(...args)
  }
  dropSearchVotes(...args: PartParameters<HomeSearch, 'dropVotes'>) {
    return this.finder.dropVotes(...args)
  }
  suggest(...args: PartParameters<HomeSearch, 'suggest'>) {
    return this.finder.suggest(...args)
  }

  seenPeople(...args: PartParameters<HomePeopleDirectory, 'seen'>) {
    return this.known.seen(...args)
  }
  people(...args: PartParameters<HomePeopleDirectory, 'list'>) {
    return this.known.list(...args)
  }
  changePeople(...args: PartParameters<HomePeopleDirectory, 'change'>) {
    return this.known.change(...args)
  }
  deletePeople(...args: PartParameters<HomePeopleDirectory, 'deletePeople'>) {
    return this.known.deletePeople(...args)
  }

  planTruth(...args: PartParameters<HomePlanSimulator, 'simulatePlans'>) {
    return this.teller.simulatePlans(...args)
  }

  /** Opens a feed socket; the Worker has checked origin and ticket. */
  fetch(request: Request): Response {
    const ticket = readVerified<Ticket<'feed'>>(request)
    if (this.budgets.isBarred(ticket.user, Date.now())) return refusedSocket(429, FLOODER)
    return this.members.open(ticket, Date.now())
  }

  /** The feed ignores messages from pages; the rate limiter tolerates a few. */
  webSocketMessage(socket: WorkerSocket, data: string | ArrayBuffer): void {
    this.budgets.allows(socket, data, OF_FEED, Date.now(), this.ctx.getTags(socket)[0])
  }

  webSocketClose(socket: WorkerSocket): void {
    socket.close()
  }

  async alarm(): Promise<void> {
    await this.upkeep.alarm(Date.now())
  }
}
