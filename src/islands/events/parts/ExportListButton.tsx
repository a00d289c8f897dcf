import Table from 'lucide-react/icons/table'
import { saveEventsCsv } from '../../../stores/events/event-export.ts'

/** Exports the list as a CSV file. Shows only an icon unless `isWide`. */
export function ExportListButton({ isWide = false }: { isWide?: boolean }) {
  return (
    <button
      type="button"
      className={isWide ? 'btn btn-outline self-start' : 'icon-btn'}
      aria-label={isWide ? undefined : 'Save the list as a table'}
      title={isWide ? undefined : 'Save the list as a table'}
      onClick={saveEventsCsv}
    >
      <Table size={18} aria-hidden />
      {isWide && 'Save the list as a table'}
    </button>
  )
}
