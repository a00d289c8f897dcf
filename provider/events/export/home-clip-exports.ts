import type { HomeContext } from '../../homes/feed/home-context.ts'
import { viewFor, type Asker } from '../../billing/plans/event-visibility.ts'
import * as exports from './clip-export-rows.ts'
import type { HomeUpkeep } from '../retention/home-retention.ts'

/** The part of a home that keeps what is packed for a download. */
export class HomeExports {
  private readonly home: HomeContext
  private readonly upkeep: HomeUpkeep

  constructor(home: HomeContext, upkeep: HomeUpkeep) {
    this.home = home
    this.upkeep = upkeep
  }

  /** Clips of events among the ids that the account may see, with what is known of their bytes. */
  clips(asker: Asker, ids: readonly string[]): exports.ExportClip[] {
    return exports.clipsOf(this.home.sql, viewFor(asker, this.home.access.visibleTo(asker.userId)) ?? [], ids)
  }

  noteClips(facts: readonly exports.ClipFacts[]): void {
    exports.noteClips(this.home.sql, facts)
  }

  async put(exportId: string, userId: string, entries: string, now: number): Promise<void> {
    exports.putExport(this.home.sql, exportId, userId, entries, now)
    await this.upkeep.begin(now)
  }

  /** Entries of an export of the account as they were put; null without it. */
  read(exportId: string, userId: string): string | null {
    return exports.readExport(this.home.sql, exportId, userId)
  }
}
