import Table from 'lucide-react/icons/table'
import { saveList } from '../../../stores/events/event-export.ts'

/** Saves what the list shows as a file that spreadsheets open; where there is room for a mark only, without its words. */
export function SaveList({ isWide = false }: { isWide?: boolean }) {
  return (
    <button
      type="button"
      className={isWide ? 'btn btn-outline self-start' : 'icon-btn'}
      aria-label={isWide ? undefined : 'Save the list as a table'}
      title={isWide ? undefined : 'Save the list as a table'}
      onClick={saveList}
    >
      <Table size={18} aria-hidden />
      {isWide && 'Save the list as a table'}
    </button>
  )
}
