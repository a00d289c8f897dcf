import { OWNER } from '../../../contract/auth/roles.ts'
import { everyName } from '../../homes/devices/device-rows.ts'
import type { HomeContext } from '../../homes/feed/home-context.ts'
import { insertNames } from '../../people/person-token.ts'
import { shownNames } from '../../people/shown-names.ts'
import { type HomeRequester, type EventVisibility, viewFor } from '../../billing/plans/event-visibility.ts'
import type { Doc } from '../document-id-rows.ts'
import * as rows from './data-export-rows.ts'

/** Events that are counted at most, the newest. */
const COUNTED_MAX = 50_000
/** Pages of a thousand stored clips that one question lists to learn their lengths. */
const PAGES_MAX = 5
/** And clips of other folders that it asks for. */
const HEADS_MAX = 100

/** The part of a home that its owner takes everything out of. */
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

  /** What an owner is shown here, counted; nothing for anybody else. Lengths of clips that were never read are looked up first. */
  async count(asker: HomeRequester): Promise<rows.TakenCount> {
    const { sql, ctx } = this.home
    const view = this.getVisibility(asker)
    const count = rows.countTaken(sql, view, COUNTED_MAX)
    const { name } = ctx.id
    if (count.unknown === 0 || name === undefined) return count
    await this.learnLengths(view, `h/${name}/clip/`)
    return rows.countTaken(sql, view, COUNTED_MAX)
  }

  /** Of the home's own folder by listing it; demo clips, which many events share, one by one. */
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

  /** Events that an owner is shown behind a place, and the names of the home's cameras; nothing for anybody else. */
  events(asker: HomeRequester, after: Doc, limit: number) {
    const names = shownNames(this.home, asker)
    const page = rows.eventsAfter(this.home.sql, this.getVisibility(asker), after, limit)
    return {
      events: page.map((event) => ({ ...event, title: insertNames(event.title, names.at(event.device_id)) })),
      names: everyName(this.home.sql),
    }
  }
}
