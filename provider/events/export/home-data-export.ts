import { OWNER_ROLE } from '../../../contract/auth/roles.ts'
import { listAllDeviceNames } from '../../homes/devices/device-rows.ts'
import type { HomeContext } from '../../homes/feed/home-context.ts'
import { insertNames } from '../../people/person-token.ts'
import { getShownNames } from '../../people/shown-names.ts'
import { type HomeRequester, type EventVisibility, getEventVisibility } from '../../billing/plans/event-visibility.ts'
import type { DocumentId } from '../document-id-rows.ts'
import * as rows from './data-export-rows.ts'

const MAX_COUNTED_EVENTS = 50_000
/** Maximum number of listing pages that one call reads to learn the lengths of clips. Each page lists 1,000 clips. */
const MAX_LIST_PAGES = 5
/** Maximum number of clips outside the home's folder whose length one call reads, with one request per clip. */
const MAX_HEAD_REQUESTS = 100

export class HomeDataExport {
  readonly #home: HomeContext

  constructor(home: HomeContext) {
    this.#home = home
  }

  #getVisibility(requester: HomeRequester): EventVisibility {
    const { access } = this.#home
    if (access.findRole(requester.userId) !== OWNER_ROLE) return []
    return getEventVisibility(requester, access.findVisibleCameras(requester.userId)) ?? []
  }

  /**
   * Counts the visible events among the newest `MAX_COUNTED_EVENTS`, after reading unknown clip lengths. Returns zeros
   * if the account is not an owner.
   */
  async count(requester: HomeRequester): Promise<rows.ExportTotals> {
    const { sql, ctx } = this.#home
    const visibility = this.#getVisibility(requester)
    const count = rows.countExportedEvents(sql, visibility, MAX_COUNTED_EVENTS)
    const { name } = ctx.id
    if (count.unknown === 0 || name === undefined) return count
    await this.#readUnknownLengths(visibility, `h/${name}/clip/`)
    return rows.countExportedEvents(sql, visibility, MAX_COUNTED_EVENTS)
  }

  /** Reads unknown clip lengths. Lists the folder of the home, and sends one request for each shared demo clip. */
  async #readUnknownLengths(visibility: EventVisibility, prefix: string): Promise<void> {
    const { sql, env } = this.#home
    const elsewhere = rows.listClipsOutsideFolder(sql, visibility, prefix, MAX_HEAD_REQUESTS)
    const heads = await Promise.all(elsewhere.map((key) => env.MEDIA.head(key)))
    rows.recordClipLengths(
      sql,
      heads.filter((head) => head !== null),
    )
    let cursor: string | undefined
    for (let page = 0; page < MAX_LIST_PAGES; page += 1) {
      const { objects, ...listed } = await env.MEDIA.list({ prefix, ...(cursor && { cursor }) })
      rows.recordClipLengths(sql, objects)
      if (!listed.truncated) return
      cursor = listed.cursor
    }
  }

  /**
   * Returns at most `limit` visible events after the document id `after`, and the names of all cameras. Returns no
   * events if the account is not an owner.
   */
  listEvents(requester: HomeRequester, after: DocumentId, limit: number) {
    const names = getShownNames(this.#home, requester)
    const page = rows.listEventsAfter(this.#home.sql, this.#getVisibility(requester), after, limit)
    return {
      events: page.map((event) => ({
        ...event,
        title: insertNames(event.title, names.getCameraNames(event.device_id)),
      })),
      names: listAllDeviceNames(this.#home.sql),
    }
  }
}
