import type { Event } from '../../../../contract/events/events.ts'
import type { Visit } from '../../../domain/events/visits.ts'

export interface EventCardProps {
  readonly rowKey: string
  /** Event of the card; for a visit, its summary. */
  readonly event: Event
  /** null for a single clip. */
  readonly visit: Visit | null
  readonly camera: string
  readonly href: string
  readonly isOpen: boolean
  readonly isTabStop: boolean
  readonly isSelected: boolean | 'mixed'
  /** Reason why the event is unusual, '' if it is not. */
  readonly unusual: string
}
