import type { Gateway } from '../payment/gateway-interface.ts'
import type { LedgerStore } from './ledger-store.ts'

/** What every part of a ledger works on. */
export interface LedgerContext {
  readonly book: LedgerStore
  /** Null: nothing is sold here. */
  readonly gateway: Gateway | null
  readonly taxBasisPoints: number
  /** Sets the alarm that goes on with what is under way. */
  wake(): Promise<void>
  /** A new id that nobody guesses. */
  newId(kind: 'sub' | 'order' | 'method' | 'refund'): string
}
