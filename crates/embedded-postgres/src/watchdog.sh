# Ends a throwaway cluster when the process that made it is gone, in whatever way.
# Its standard input is a pipe that nobody writes to: reading ends when that process ends.
dir=$1
gone=$dir.gone
cat >/dev/null

pause() { sleep 0.02 2>/dev/null || sleep 1; }

# Whether the noted process lives and has not become another one; where there is no /proc, living is enough.
is_ours() {
    if [ -d /proc/self ]; then
        tr '\0' '\n' <"/proc/$pid/cmdline" | grep -qF "$dir"
    else
        kill -s 0 "$pid"
    fi
} 2>/dev/null

# Ends the program that the note in folder $1 names, and waits for it.
end_noted() {
    read -r pid program 2>/dev/null <"$1/pid" || return 0
    is_ours || return 0
    # The content is worth nothing, so the server need not write it out. An initdb ends by itself before long; told
    # to end, it would tear the folder from under its backend, which then leaves shared memory behind.
    [ "$program" = initdb ] || kill -s QUIT "$pid" 2>/dev/null
    rounds=0
    while is_ours && [ "$rounds" -lt 500 ]; do
        pause
        rounds=$((rounds + 1))
    done
    is_ours && kill -s KILL "$pid" 2>/dev/null
}

[ -e "$dir" ] || exit 0
end_noted "$dir"
# A program that was just being started notes itself before anything else. From here on it does not find the note any
# more and gives up, or it was in time and is found by it.
mv "$dir" "$gone"
end_noted "$gone"

rounds=0
while [ -e "$gone" ] && [ "$rounds" -lt 500 ]; do
    rm -rf "$gone" 2>/dev/null
    [ -e "$gone" ] && pause
    rounds=$((rounds + 1))
done
