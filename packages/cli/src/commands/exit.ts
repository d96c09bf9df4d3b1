/** Exit statuses of the command line. */
export const EXIT_OK = 0;
/** The answer is no: no path was found, the mesh has no polygons, or the file is not valid. */
export const EXIT_NO = 1;
/** The command line or the input is wrong. */
export const EXIT_INPUT = 2;
/** The output could not be written. The number is EX_IOERR of sysexits.h. */
export const EXIT_OUTPUT = 74;
/** navkiln itself failed, which is a bug. The number is EX_SOFTWARE of sysexits.h. */
export const EXIT_BUG = 70;
