import { DurableObject } from 'cloudflare:workers'
import type { WebSocket as WorkerSocket } from '@cloudflare/workers-types'
import { NO_ACCESS } from '../../contract/wire/socket-close-codes.ts'
import { OF_FEED, SocketBudgets } from '../platform/sockets/socket-rate-limits.ts'
import type { Ticket } from '../platform/tickets/tickets.ts'
import { FLOODER, refusedSocket, verifiedOf } from '../platform/sockets/websocket-upgrade.ts'
import type { Env } from '../env.ts'
import type { HomeContext } from './feed/home-context.ts'
import { HomePeople } from '../people/home-people.ts'
import { openHome } from './open-home.ts'
import { HomeMembers } from './home-members.ts'
import { HomeDevices } from './devices/home-devices.ts'
import { HomePast } from '../events/home-event-queries.ts'
import { HomeIntake } from '../events/home-ingest.ts'
import { HomeChanges } from '../events/home-event-actions.ts'
import { HomeExports } from '../events/export/home-clip-exports.ts'
import { HomeTaking } from '../events/export/home-data-export.ts'
import { HomeUpkeep } from '../events/retention/home-retention.ts'
import { HomeSearch } from '../search/home-search.ts'
import { HomeTruthTeller } from '../billing/plan-simulation/home-plan-simulation.ts'

/** What a method of a part takes: the signature, its units and its answers are described there, once. */
type Asked<Part, Method extends keyof Part> = Part[Method] extends (...asked: infer A) => unknown ? A : never

/**
 * One home: its members, cameras, events, and the sockets of its feed. Each part answers for itself; the methods here are
 * those that Workers and other objects call. Every question that an account asks goes by its user id and is answered null
 * or empty when it sees nothing here.
 */
export class Home extends DurableObject<Env> {
  private readonly budgets = new SocketBudgets()
  private readonly home = openHome(this.ctx, this.env)
  private readonly upkeep = new HomeUpkeep(this.home)
  private readonly members = new HomeMembers(this.home)
  private readonly cameras = new HomeDevices(this.home)
  private readonly past = new HomePast(this.home)
  private readonly intake = new HomeIntake(this.home, this.upkeep)
  private readonly changes = new HomeChanges(this.home, this.upkeep)
  private readonly exports = new HomeExports(this.home, this.upkeep)
  private readonly taking = new HomeTaking(this.home)
  private readonly finder = new HomeSearch(this.home)
  private readonly known = new HomePeople(this.home)
  private readonly teller = new HomeTruthTeller(this.home)

  putMember(...asked: Asked<HomeMembers, 'putMember'>) {
    return this.members.putMember(...asked)
  }
  dropMember(...asked: Asked<HomeMembers, 'dropMember'>) {
    return this.members.dropMember(...asked)
  }
  share(...asked: Asked<HomeMembers, 'share'>) {
    return this.members.share(...asked)
  }
  unshare(...asked: Asked<HomeMembers, 'unshare'>) {
    return this.members.unshare(...asked)
  }
  follow(...asked: Asked<HomeMembers, 'follow'>) {
    return this.members.follow(...asked)
  }
  forget(...asked: Asked<HomeMembers, 'forget'>) {
    this.members.forget(...asked)
  }
  /** The home is gone, and all that is stored of it. Its clips and pictures are whoever's who calls. */
  async end(): Promise<void> {
    for (const socket of this.ctx.getWebSockets()) socket.close(NO_ACCESS, 'This home is gone.')
    await this.ctx.storage.deleteAlarm()
    await this.ctx.storage.deleteAll()
  }
  signOut(...asked: Asked<HomeMembers, 'signOut'>) {
    return this.members.signOut(...asked)
  }
  /** What covers its cameras has changed. */
  plansChanged() {
    this.home.feed.push({ type: 'access' })
  }
  /** Passes a message of another home on to the account's open pages. */
  forward(...asked: Asked<HomeContext['feed'], 'forward'>) {
    this.home.feed.forward(...asked)
  }

  devices(...asked: Asked<HomeDevices, 'list'>) {
    return this.cameras.list(...asked)
  }
  cameraIds(...asked: Asked<HomeDevices, 'ids'>) {
    return this.cameras.ids(...asked)
  }
  cameraNames(...asked: Asked<HomeDevices, 'names'>) {
    return this.cameras.names(...asked)
  }
  streams(...asked: Asked<HomeDevices, 'streams'>) {
    return this.cameras.streams(...asked)
  }
  putDevice(...asked: Asked<HomeDevices, 'put'>) {
    return this.cameras.put(...asked)
  }
  setCameraState(...asked: Asked<HomeDevices, 'setState'>) {
    return this.cameras.setState(...asked)
  }
  stateRuns(...asked: Asked<HomeDevices, 'stateRuns'>) {
    return this.cameras.stateRuns(...asked)
  }
  setLastPicture(...asked: Asked<HomeDevices, 'setLastPicture'>) {
    return this.cameras.setLastPicture(...asked)
  }
  bridgeCameras(...asked: Asked<HomeDevices, 'ofBridge'>) {
    return this.cameras.ofBridge(...asked)
  }
  setPower(...asked: Asked<HomeDevices, 'setPower'>) {
    return this.cameras.setPower(...asked)
  }
  setRendition(...asked: Asked<HomeDevices, 'setRendition'>) {
    return this.cameras.setRendition(...asked)
  }
  exchangePip(...asked: Asked<HomeDevices, 'exchangePip'>) {
    return this.cameras.exchangePip(...asked)
  }
  cameraSettings(...asked: Asked<HomeDevices, 'settings'>) {
    return this.cameras.settings(...asked)
  }
  setCameraSettings(...asked: Asked<HomeDevices, 'setSettings'>) {
    return this.cameras.setSettings(...asked)
  }
  cameraPlaces(...asked: Asked<HomeDevices, 'places'>) {
    return this.cameras.places(...asked)
  }
  setCameraPlaces(...asked: Asked<HomeDevices, 'setPlaces'>) {
    return this.cameras.setPlaces(...asked)
  }
  renameCamera(...asked: Asked<HomeDevices, 'rename'>) {
    return this.cameras.rename(...asked)
  }
  orderCameras(...asked: Asked<HomeDevices, 'order'>) {
    return this.cameras.order(...asked)
  }
  /** Takes a camera off the list; with `forGood` its shares end too. */
  removeDevice(deviceId: string, forGood: boolean, now: number): void {
    this.cameras.remove(deviceId, now)
    if (forGood) this.members.unshareAll(deviceId)
  }

  eventList(...asked: Asked<HomePast, 'list'>) {
    return this.past.list(...asked)
  }
  event(...asked: Asked<HomePast, 'event'>) {
    return this.past.event(...asked)
  }
  eventsByIds(...asked: Asked<HomePast, 'byIds'>) {
    return this.past.byIds(...asked)
  }
  anomalies(...asked: Asked<HomePast, 'anomalies'>) {
    return this.past.anomalies(...asked)
  }
  clip(...asked: Asked<HomePast, 'clip'>) {
    return this.past.clip(...asked)
  }
  found(...asked: Asked<HomePast, 'found'>) {
    return this.past.found(...asked)
  }
  comingClip(...asked: Asked<HomePast, 'comingClip'>) {
    return this.past.comingClip(...asked)
  }
  clipState(...asked: Asked<HomePast, 'clipState'>) {
    return this.past.clipState(...asked)
  }
  mediaObject(...asked: Asked<HomePast, 'mediaObject'>) {
    return this.past.mediaObject(...asked)
  }
  timeline(...asked: Asked<HomePast, 'timeline'>) {
    return this.past.timeline(...asked)
  }

  addEvent(...asked: Asked<HomeIntake, 'addEvent'>) {
    return this.intake.addEvent(...asked)
  }
  addClip(...asked: Asked<HomeIntake, 'addClip'>) {
    return this.intake.addClip(...asked)
  }
  addMoments(...asked: Asked<HomeIntake, 'addMoments'>) {
    return this.intake.addMoments(...asked)
  }
  reserveObjects(...asked: Asked<HomeIntake, 'reserveObjects'>) {
    return this.intake.reserveObjects(...asked)
  }
  addHistory(...asked: Asked<HomeIntake, 'addHistory'>) {
    return this.intake.addHistory(...asked)
  }
  noteGaps(...asked: Asked<HomeIntake, 'noteGaps'>) {
    this.intake.noteGaps(...asked)
  }

  review(...asked: Asked<HomeChanges, 'review'>) {
    return this.changes.review(...asked)
  }
  deleteEvents(...asked: Asked<HomeChanges, 'deleteEvents'>) {
    return this.changes.deleteEvents(...asked)
  }
  restoreEvents(...asked: Asked<HomeChanges, 'restoreEvents'>) {
    return this.changes.restoreEvents(...asked)
  }
  putFeedback(...asked: Asked<HomeChanges, 'putFeedback'>) {
    return this.changes.putFeedback(...asked)
  }
  putFeedbackVideo(...asked: Asked<HomeChanges, 'putFeedbackVideo'>) {
    return this.changes.putFeedbackVideo(...asked)
  }

  exportClips(...asked: Asked<HomeExports, 'clips'>) {
    return this.exports.clips(...asked)
  }
  noteClips(...asked: Asked<HomeExports, 'noteClips'>) {
    return this.exports.noteClips(...asked)
  }
  putExport(...asked: Asked<HomeExports, 'put'>) {
    return this.exports.put(...asked)
  }
  export(...asked: Asked<HomeExports, 'read'>) {
    return this.exports.read(...asked)
  }
  takeCount(...asked: Asked<HomeTaking, 'count'>) {
    return this.taking.count(...asked)
  }
  takeEvents(...asked: Asked<HomeTaking, 'events'>) {
    return this.taking.events(...asked)
  }

  retention(...asked: Asked<HomeUpkeep, 'log'>) {
    return this.upkeep.log(...asked)
  }
  look(...asked: Asked<HomeUpkeep, 'look'>) {
    return this.upkeep.look(...asked)
  }

  search(...asked: Asked<HomeSearch, 'search'>) {
    return this.finder.search(...asked)
  }
  putSearchVotes(...asked: Asked<HomeSearch, 'putVotes'>) {
    return this.finder.putVotes(...asked)
  }
  dropSearchVotes(...asked: Asked<HomeSearch, 'dropVotes'>) {
    return this.finder.dropVotes(...asked)
  }
  suggest(...asked: Asked<HomeSearch, 'suggest'>) {
    return this.finder.suggest(...asked)
  }

  seenPeople(...asked: Asked<HomePeople, 'seen'>) {
    return this.known.seen(...asked)
  }
  people(...asked: Asked<HomePeople, 'list'>) {
    return this.known.list(...asked)
  }
  changePeople(...asked: Asked<HomePeople, 'change'>) {
    return this.known.change(...asked)
  }
  forgetPeople(...asked: Asked<HomePeople, 'forget'>) {
    return this.known.forget(...asked)
  }

  planTruth(...asked: Asked<HomeTruthTeller, 'tell'>) {
    return this.teller.tell(...asked)
  }

  /** Opens a feed socket; the Worker has checked origin and ticket. */
  fetch(request: Request): Response {
    const ticket = verifiedOf<Ticket<'feed'>>(request)
    if (this.budgets.isBarred(ticket.user, Date.now())) return refusedSocket(429, FLOODER)
    return this.members.open(ticket, Date.now())
  }

  /** The feed takes nothing from a page; a little of what it sends is let pass. */
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
