/** Exit statuses of the command line. */
export const EXIT_OK = 0;
/** The answer is no: there is no path, the file is not valid. */
export const EXIT_NO = 1;
/** The command line or the input is at fault. */
export const EXIT_INPUT = 2;
