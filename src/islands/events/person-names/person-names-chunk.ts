/** Chunk boundary: the parts of a clip that name a person and undo the change. */
export { NameUndo } from './NameUndo.tsx'
export { WhoIsThis } from './WhoIsThis.tsx'
