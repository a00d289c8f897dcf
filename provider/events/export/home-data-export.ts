import { OWNER } from '../../../contract/auth/roles.ts'
import { everyName } from '../../homes/devices/device-rows.ts'
import type { HomeContext } from '../../homes/feed/home-context.ts'
import { insertNames } from '../../people/person-token.ts'
import { shownNames } from '../../people/shown-names.ts'
import { type HomeRequester, type EventVisibility, viewFor } from '../../billing/plans/event-visibility.ts'
import type { Doc } from '../document-id-rows.ts'
import * as rows from './data-export-rows.ts'

/** Maximum number of events counted, newest first. */
const COUNTED_MAX = 50_000
/** Maximum pages of 1,000 stored clips that one call lists to read their lengths. */
const PAGES_MAX = 5
/** Maximum clips outside the home's folder whose lengths one call reads. */
const HEADS_MAX = 100

export class HomeDataExport {
  private readonly home: HomeContext

  constructor(home: HomeContext) {
    this.home = home
  }

  private getVisibility(asker: HomeRequester): EventVisibility {
    const { access } = this.home
    if (access.findRole(asker.userId) !== OWNER) return []
    return viewFor(asker, access.visibleTo(asker.userId)) ?? []
  }

  /** Counts the events that an owner may see; zeros for other roles. Reads unknown clip lengths first. */
  async count(asker: HomeRequester): Promise<rows.TakenCount> {
    const { sql, ctx } = this.home
    const view = this.getVisibility(asker)
    const count = rows.countTaken(sql, view, COUNTED_MAX)
    const { name } = ctx.id
    if (count.unknown === 0 || name === undefined) return count
    await this.learnLengths(view, `h/${name}/clip/`)
    return rows.countTaken(sql, view, COUNTED_MAX)
  }

  /**
   * Reads unknown clip lengths: from a listing of the home's own folder, and one by one for demo clips, which many
   * events share.
   */
  private async learnLengths(view: EventVisibility, prefix: string): Promise<void> {
    const { sql, env } = this.home
    const elsewhere = rows.clipsElsewhere(sql, view, prefix, HEADS_MAX)
    const heads = await Promise.all(elsewhere.map((key) => env.MEDIA.head(key)))
    rows.recordClipLengths(
      sql,
      heads.filter((head) => head !== null),
    )
    let cursor: string | undefined
    for (let page = 0; page < PAGES_MAX; page += 1) {
      const { objects, ...listed } = await env.MEDIA.list({ prefix, ...(cursor && { cursor }) })
      rows.recordClipLengths(sql, objects)
      if (!listed.truncated) return
      cursor = listed.cursor
    }
  }

  /** Returns the events that an owner may see after a document id, and the camera names; no events for other roles. */
  events(asker: HomeRequester, after: Doc, limit: number) {
    const names = shownNames(this.home, asker)
    const page = rows.eventsAfter(this.home.sql, this.getVisibility(asker), after, limit)
    return {
      events: page.map((event) => ({ ...event, title: insertNames(event.title, names.at(event.device_id)) })),
      names: everyName(this.home.sql),
    }
  }
}
