# Removes a throwaway cluster when the process that created it has ended, for whatever reason.
# Standard input is a pipe that nothing is written to: reading it ends when that process does.
dir=$1
gone=$dir.gone
cat >/dev/null

pause() { sleep 0.02 2>/dev/null || sleep 1; }

# Whether the recorded process is alive and still the same one. Without /proc, being alive is enough.
is_ours() {
    if [ -d /proc/self ]; then
        tr '\0' '\n' <"/proc/$pid/cmdline" | grep -qF "$dir"
    else
        kill -s 0 "$pid"
    fi
} 2>/dev/null

# Ends the process in the PID file of folder $1, and waits for it.
end_noted() {
    read -r pid program 2>/dev/null <"$1/pid" || return 0
    is_ours || return 0
    # The content is disposable, so an immediate shutdown is enough. initdb is left to finish by itself, which is soon. After a
    # signal it would delete the folder that its backend uses, and the backend would leave shared memory behind.
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
# A process that is just starting writes the PID file first. After the rename, either it cannot write the file and exits, or
# the file was already written and is found here.
mv "$dir" "$gone"
end_noted "$gone"

rounds=0
while [ -e "$gone" ] && [ "$rounds" -lt 500 ]; do
    rm -rf "$gone" 2>/dev/null
    [ -e "$gone" ] && pause
    rounds=$((rounds + 1))
done
