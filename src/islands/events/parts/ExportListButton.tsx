import Table from 'lucide-react/icons/table'
import { saveEventsCsv } from '../../../stores/events/event-export.ts'

/** Exports the list as a CSV file. */
export function ExportListButton() {
  return (
    <button type="button" className="btn btn-outline self-start" onClick={saveEventsCsv}>
      <Table size={18} aria-hidden />
      Export list as CSV
    </button>
  )
}
