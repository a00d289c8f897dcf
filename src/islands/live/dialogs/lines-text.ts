/** A rendition as people call it: `720p`; names that are no number of lines stay as they are. */
export const linesText = (name: string): string => (/^\d+$/.test(name) ? `${name}p` : name)
