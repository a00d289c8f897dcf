import type { AccessUnit } from '../h264/annex-b.ts'

/** Where pictures come from. */
export interface Source {
  /** From the newest keyframe to the newest picture; empty while there is none. What a new viewer gets at once. */
  group(): readonly AccessUnit[]
  /** Hands over every further picture in real time until the answer is called. */
  watch(onUnit: (unit: AccessUnit) => void): () => void
  /** Another rendition, from its next keyframe on; unknown names are left alone. */
  setRendition(name: string): void
  start(): void
  stop(): void
}
