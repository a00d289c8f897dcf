import type { PaymentGateway } from '../payment/gateway-interface.ts'
import type { LedgerStore } from './ledger-store.ts'

export interface LedgerContext {
  readonly book: LedgerStore
  /** Payment gateway; null if this deployment sells nothing. */
  readonly gateway: PaymentGateway | null
  readonly taxBasisPoints: number
  scheduleAlarm(): Promise<void>
  /** Returns a new id that cannot be guessed. */
  newId(kind: 'sub' | 'order' | 'method' | 'refund'): string
}
