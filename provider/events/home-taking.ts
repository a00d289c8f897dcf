import { OWNER } from '../../contract/roles.ts'
import { everyName } from '../devices/device-rows.ts'
import type { HomeContext } from '../feed/home-context.ts'
import { type Asker, type View, viewFor } from '../plans/view.ts'
import type { Doc } from './doc-rows.ts'
import * as rows from './take-rows.ts'

/** Events that are counted at most, the newest. */
const COUNTED_MAX = 50_000
/** Pages of a thousand stored clips that one question lists to learn their lengths. */
const PAGES_MAX = 5

/** The part of a home that its owner takes everything out of. */
export class HomeTaking {
  private readonly home: HomeContext

  constructor(home: HomeContext) {
    this.home = home
  }

  private viewOf(asker: Asker): View {
    const { access } = this.home
    if (access.roleOf(asker.userId) !== OWNER) return []
    return viewFor(asker, access.visibleTo(asker.userId)) ?? []
  }

  /** What an owner is shown here, counted; nothing for anybody else. Lengths of clips that were never read are looked up first. */
  async count(asker: Asker): Promise<rows.TakenCount> {
    const { sql, env, ctx } = this.home
    const view = this.viewOf(asker)
    const count = rows.countTaken(sql, view, COUNTED_MAX)
    const { name } = ctx.id
    if (count.unknown === 0 || name === undefined) return count
    let cursor: string | undefined
    for (let page = 0; page < PAGES_MAX; page += 1) {
      const { objects, ...listed } = await env.MEDIA.list({ prefix: `h/${name}/clip/`, ...(cursor && { cursor }) })
      rows.noteLengths(sql, objects)
      if (!listed.truncated) break
      cursor = listed.cursor
    }
    return rows.countTaken(sql, view, COUNTED_MAX)
  }

  /** Events that an owner is shown behind a place, and the names of the home's cameras; nothing for anybody else. */
  events(asker: Asker, after: Doc, most: number) {
    return { events: rows.eventsAfter(this.home.sql, this.viewOf(asker), after, most), names: everyName(this.home.sql) }
  }
}
