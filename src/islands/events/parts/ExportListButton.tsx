import Table from 'lucide-react/icons/table'
import { saveEventsCsv } from '../../../stores/events/event-export.ts'

/** Exports the list as a CSV file. Shows only an icon unless `isWide`. */
export function ExportListButton({ isWide = false }: { isWide?: boolean }) {
  return (
    <button
      type="button"
      className={isWide ? 'btn btn-outline self-start' : 'icon-btn'}
      aria-label={isWide ? undefined : 'Export list as CSV'}
      title={isWide ? undefined : 'Export list as CSV'}
      onClick={saveEventsCsv}
    >
      <Table size={18} aria-hidden />
      {isWide && 'Export list as CSV'}
    </button>
  )
}
